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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes files of orders into the log, all or nothing: the body goes to a temporary file while every
 * line is checked, and only then is that file appended. The two are apart so that a slow sender
 * keeps nobody waiting. Memory stays flat; the file is gone afterwards, whatever happened.
 */
public final class Imports {

  /** Bytes in one import. */
  public static final long MAX_BYTES = 256L * 1024 * 1024;

  private static final Logger LOG = LoggerFactory.getLogger(Imports.class);
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
   * CSV with a header line that names the columns in any order: reads the body to its end and
   * checks every line.
   *
   * @throws ImportRefused with the first line at fault
   */
  public Checked csv(InputStream body) {
    return check(body, CsvOrders::new);
  }

  /**
   * One JSON object a line: reads the body to its end and checks every line.
   *
   * @throws ImportRefused with the first line at fault
   */
  public Checked jsonLines(InputStream body) {
    return check(body, JsonLines::new);
  }

  Checked check(InputStream body, Function<Reader, Iterator<Order>> format) {
    Path file = newFile();
    boolean good = false;
    try (OutputStream copy = new BufferedOutputStream(Files.newOutputStream(file));
        Reader text = text(new Spool(body, copy, limit))) {
      format.apply(text).forEachRemaining(order -> {});
      good = true;
    } catch (IOException e) {
      throw new ImportNotKept(e);
    } finally {
      if (!good) {
        delete(file);
      }
    }
    return new Checked(file, format);
  }

  private Path newFile() {
    try {
      return Files.createTempFile(folder, "import-", ".part");
    } catch (IOException e) {
      throw new ImportNotKept(e);
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // The next start removes it; what was asked for is done, or refused, all the same.
      LOG.warn("An import's file stays until the next start: {}", file);
    }
  }

  /**
   * A file of orders without a fault, not appended yet. Its orders are read a second time for the
   * log. To be closed, which removes it.
   */
  public static final class Checked implements AutoCloseable {

    private final Path file;
    private final Function<Reader, Iterator<Order>> format;

    private Checked(Path file, Function<Reader, Iterator<Order>> format) {
      this.file = file;
      this.format = format;
    }

    /**
     * Appends all of it.
     *
     * @return how many orders
     * @throws AppendFailed when the log did not take them all
     */
    public long appendTo(OrderLog log) {
      return appendWith(log::appendBatched);
    }

    long appendWith(Function<Stream<Order>, Long> append) {
      try (Reader text = text(new BufferedInputStream(Files.newInputStream(file)))) {
        return append.apply(stream(format.apply(text)));
      } catch (IOException e) {
        throw new ImportNotKept(e);
      }
    }

    @Override
    public void close() {
      delete(file);
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
