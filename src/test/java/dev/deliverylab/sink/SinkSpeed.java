package dev.deliverylab.sink;

import dev.deliverylab.log.LogRecord;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Effects a second through a life's connection, against a plain loop with the same statement and no
 * wire; and what the file weighs before and after a drop. Printed, never asserted. Arguments: a new
 * folder, effects a round, rows to drop.
 */
final class SinkSpeed {

  private static final int ROUNDS = 5;

  private SinkSpeed() {}

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    int effects = Integer.parseInt(args[1]);
    try (LabDatabase database = LabDatabase.open(folder);
        Sinks sinks = Sinks.at(database.address(), "lab_", Clock.systemUTC())) {
      for (Shape shape : List.of(Shape.APPEND_ONLY, Shape.KEYED, Shape.FIRST_WINS)) {
        SinkTable table =
            sinks.open(1, shape.name().toLowerCase(Locale.ROOT).replace('_', '-'), shape);
        SinkTable.Connected life = table.connect(1);
        String statement =
            new TableSql(Dialect.H2, "lab_1_" + shape.name().toLowerCase(Locale.ROOT), shape)
                .write();
        double ratio = 0;
        for (int round = 1; round <= ROUNDS; round++) {
          double plain = plain(database.address(), statement, effects, round);
          double wired = wired(life.sink(), shape, effects, round + 1000);
          ratio = wired / plain;
          System.out.printf(
              "%-12s round %d: plain %.0f/s, lane's connection %.0f/s, ratio %.2f%n",
              shape, round, plain, wired, ratio);
        }
        life.sink().close();
      }
      drop(folder, sinks, Integer.parseInt(args[2]));
    }
    System.out.printf("after closing: %,d bytes%n", size(folder));
  }

  private static double plain(SinkAddress address, String sql, int effects, int round)
      throws Exception {
    try (Connection connection =
            DriverManager.getConnection(address.url(), address.user(), address.password());
        PreparedStatement write = connection.prepareStatement(sql)) {
      long start = System.nanoTime();
      for (int i = 0; i < effects; i++) {
        LogRecord record = record(i, round);
        write.setString(1, record.order().eventId());
        write.setBigDecimal(2, new BigDecimal(record.order().orderId()));
        write.setBigDecimal(3, record.order().amount());
        write.setObject(4, record.order().eventTime().atOffset(ZoneOffset.UTC));
        write.setString(5, record.order().customer());
        write.setInt(6, record.partition());
        write.setLong(7, record.offset());
        write.setObject(8, Instant.now().atOffset(ZoneOffset.UTC));
        write.setInt(9, 1);
        write.executeUpdate();
      }
      return perSecond(effects, start);
    }
  }

  private static double wired(Sink sink, Shape shape, int effects, int round) {
    long start = System.nanoTime();
    for (int i = 0; i < effects; i++) {
      write(sink, shape, record(i, round));
    }
    return perSecond(effects, start);
  }

  private static void write(Sink sink, Shape shape, LogRecord record) {
    switch (shape) {
      case KEYED -> sink.upsert(record.order().eventId(), record);
      case FIRST_WINS -> sink.insertUnlessKnown(record);
      default -> sink.append(record);
    }
  }

  private static void drop(Path folder, Sinks sinks, int rows) throws Exception {
    System.out.printf("before: %,d bytes%n", size(folder));
    SinkTable table = sinks.open(2, "append", Shape.APPEND_ONLY);
    SinkTable keyed = sinks.open(2, "keyed", Shape.KEYED);
    Sink sink = table.connect(1).sink();
    Sink upserts = keyed.connect(1).sink();
    long start = System.nanoTime();
    for (int i = 0; i < rows; i++) {
      if (i % 500 == 0) {
        sink.begin();
        upserts.begin();
      }
      LogRecord record = record(i, 1);
      sink.append(record);
      upserts.upsert(record.order().eventId(), record);
      if (i % 500 == 499) {
        sink.commit();
        upserts.commit();
      }
    }
    System.out.printf(
        "2 x %,d rows, 500 a transaction: %.0f rows/s, %,d bytes%n",
        rows, perSecond(2 * rows, start), size(folder));
    long read = System.nanoTime();
    table.changedAfter(rows - 256, 256);
    long changed = System.nanoTime();
    table.rowsOf(
        java.util.stream.LongStream.range(1_001_000, 1_001_256)
            .mapToObj(java.math.BigInteger::valueOf)
            .toList());
    System.out.printf(
        "last 256 changes %,d us, rows of 256 orders %,d us%n",
        TimeUnit.NANOSECONDS.toMicros(changed - read),
        TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - changed));
    sink.close();
    upserts.close();
    sinks.drop(2);
    System.out.printf("after the drop: %,d bytes%n", size(folder));
    for (int second = 1; second <= 10; second++) {
      TimeUnit.SECONDS.sleep(1);
      System.out.printf("  %d s later: %,d bytes%n", second, size(folder));
    }
  }

  private static long size(Path folder) throws Exception {
    return Files.size(folder.resolve("lab.mv.db"));
  }

  private static double perSecond(int effects, long start) {
    return effects * 1e9 / (System.nanoTime() - start);
  }

  private static LogRecord record(int i, int round) {
    return SinkContract.record(0, i, SinkContract.order(round * 1_000_000L + i, "25.50"));
  }
}
