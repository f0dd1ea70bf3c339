package dev.deliverylab.log;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PushbackReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Takes files of orders into the log, all or nothing: the body goes to a temporary file while every
 * line is checked, and only then is that file appended. Memory stays flat; the file is gone
 * afterwards, whatever happened.
 */
public final class Imports {

  /** Bytes in one import. */
  public static final long MAX_BYTES = 256L * 1024 * 1024;

  private static final char BYTE_ORDER_MARK = 0xFEFF;

  private final Path folder;
  private final long limit;

  /**
   * @param dataFolder of the lab; what a killed import left there is removed
   */
  public Imports(Path dataFolder) {
    this(dataFolder, MAX_BYTES);
  }

  Imports(Path dataFolder, long limit) {
    this.folder = dataFolder.resolve("imports");
    this.limit = limit;
    try {
      Files.createDirectories(folder);
      try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(folder, "import-*")) {
        for (Path leftover : leftovers) {
          Files.delete(leftover);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the folder " + folder + " cannot be used", e);
    }
  }

  /**
   * CSV with a header line that names the columns in any order.
   *
   * @return how many orders
   * @throws ImportRefused with the first line at fault, nothing appended
   * @throws AppendFailed when the log did not take them all
   */
  public long csv(InputStream body, OrderLog log) {
    return all(body, log::appendBatched, CsvOrders::new);
  }

  /**
   * One JSON object a line.
   *
   * @return how many orders
   * @throws ImportRefused with the first line at fault, nothing appended
   * @throws AppendFailed when the log did not take them all
   */
  public long jsonLines(InputStream body, OrderLog log) {
    return all(body, log::appendBatched, JsonLines::new);
  }

  /** The same orders are read twice: once to check them, once for the log. */
  long all(
      InputStream body,
      Function<Stream<Order>, Long> append,
      Function<Reader, Iterator<Order>> format) {
    try {
      Path file = Files.createTempFile(folder, "import-", ".part");
      try {
        check(body, file, format);
        try (Reader text = text(new BufferedInputStream(Files.newInputStream(file)))) {
          return append.apply(stream(format.apply(text)));
        }
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the import could not be kept in " + folder, e);
    }
  }

  private void check(InputStream body, Path file, Function<Reader, Iterator<Order>> format)
      throws IOException {
    try (OutputStream copy = new BufferedOutputStream(Files.newOutputStream(file));
        Reader text = text(new Spool(body, copy, limit))) {
      format.apply(text).forEachRemaining(order -> {});
    }
  }

  /** UTF-8, with or without a byte order mark. Broken bytes become U+FFFD, which no field takes. */
  private static Reader text(InputStream bytes) throws IOException {
    PushbackReader text = new PushbackReader(new InputStreamReader(bytes, StandardCharsets.UTF_8));
    int first = text.read();
    if (first >= 0 && first != BYTE_ORDER_MARK) {
      text.unread(first);
    }
    return text;
  }

  private static Stream<Order> stream(Iterator<Order> orders) {
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(orders, Spliterator.ORDERED), false);
  }
}
