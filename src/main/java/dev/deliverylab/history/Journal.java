package dev.deliverylab.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The history's tail on disk: two files of fixed size, filled in turn, one JSON line an event. They
 * are mapped into memory, so that an event costs no system call and yet outlives a kill of the
 * process (the pages belong to the operating system). A power cut may cost the last seconds.
 */
public final class Journal implements AutoCloseable {

  private final JsonMapper json;
  private final MappedByteBuffer[] files = new MappedByteBuffer[2];
  private int current;

  /**
   * @param folder is created if it is not there
   * @param fileBytes size of each of the two files, in bytes
   */
  public Journal(Path folder, int fileBytes, JsonMapper json) {
    this.json = json;
    try {
      Files.createDirectories(folder);
      for (int i = 0; i < 2; i++) {
        files[i] = map(folder.resolve("journal-" + i + ".jsonl"), fileBytes);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("The history cannot be kept in " + folder, e);
    }
  }

  /** Writes an event behind the last one; the older file is wiped when both are full. */
  void write(Event event) {
    byte[] line = (json.writeValueAsString(event) + "\n").getBytes(StandardCharsets.UTF_8);
    if (line.length > files[current].capacity()) {
      return;
    }
    if (files[current].remaining() < line.length) {
      current = 1 - current;
      wipe(files[current]);
    }
    files[current].put(line);
  }

  /** All events still there, oldest first. Leaves the journal ready to go on behind them. */
  List<Event> tail() {
    List<List<Event>> both = Stream.of(files).map(this::read).toList();
    current = lastSeq(both.get(0)) >= lastSeq(both.get(1)) ? 0 : 1;
    List<Event> events = new ArrayList<>(both.get(0));
    events.addAll(both.get(1));
    events.sort(Comparator.comparingLong(Event::seq));
    return events;
  }

  /**
   * Writes the first event of a new experiment and removes all others. A kill at any moment leaves
   * this event or an earlier one, so that numbers never begin again.
   */
  void begin(Event event) {
    int before = current;
    current = 1 - current;
    wipe(files[current]);
    write(event);
    wipe(files[before]);
  }

  @Override
  public void close() {
    for (MappedByteBuffer file : files) {
      file.force();
    }
  }

  private static long lastSeq(List<Event> events) {
    return events.isEmpty() ? 0 : events.get(events.size() - 1).seq();
  }

  /** Reads whole lines; a line that a kill cut short is overwritten by the next event. */
  private List<Event> read(MappedByteBuffer file) {
    List<Event> events = new ArrayList<>();
    int start = 0;
    for (int at = 0; at < file.capacity() && file.get(at) != 0; at++) {
      if (file.get(at) == '\n') {
        byte[] line = new byte[at - start];
        file.get(start, line);
        try {
          events.add(json.readValue(line, Event.class));
        } catch (JacksonException e) {
          break;
        }
        start = at + 1;
      }
    }
    for (int at = start; at < file.capacity() && file.get(at) != 0; at++) {
      file.put(at, (byte) 0);
    }
    file.position(start);
    return events;
  }

  private static void wipe(MappedByteBuffer file) {
    byte[] zeros = new byte[8192];
    file.clear();
    while (file.hasRemaining()) {
      file.put(zeros, 0, Math.min(zeros.length, file.remaining()));
    }
    file.clear();
  }

  private static MappedByteBuffer map(Path path, int bytes) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
    }
  }
}
