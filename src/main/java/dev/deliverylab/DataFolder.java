package dev.deliverylab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * The one folder in which everything is kept that must survive the process. It belongs to one
 * process at a time: the lock on it is the operating system's, so a process that was killed leaves
 * none behind.
 */
public final class DataFolder implements AutoCloseable {

  /** The folder cannot be used. The message is a plain sentence that says what to do next. */
  public static final class Unusable extends RuntimeException {

    Unusable(String sentence, @Nullable Throwable cause) {
      super(sentence, cause);
    }
  }

  private final Path path;
  private final FileChannel lock;

  private DataFolder(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  /** Creates the folder if it is missing, and claims it for this process until {@link #close()}. */
  public static DataFolder open(Path path) {
    Path folder = path.toAbsolutePath().normalize();
    try {
      Files.createDirectories(folder);
      FileChannel channel =
          FileChannel.open(
              folder.resolve("lab.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      try {
        if (locked(channel)) {
          return new DataFolder(folder, channel);
        }
      } catch (IOException e) {
        channel.close();
        throw e;
      }
      channel.close();
    } catch (IOException e) {
      throw new Unusable(
          "The lab cannot write to "
              + folder
              + ". Make the folder writable, or set lab.data-dir to another one.",
          e);
    }
    throw new Unusable(
        "Another instance of the lab uses "
            + folder
            + ". End that one, or set lab.data-dir to another folder.",
        null);
  }

  private static boolean locked(FileChannel channel) throws IOException {
    try {
      FileLock lock = channel.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException heldByThisProcess) {
      return false;
    }
  }

  /** Absolute. */
  public Path path() {
    return path;
  }

  /**
   * The part of the folder for one room, for example {@code kafka}. It is created if it is missing.
   */
  public Path room(String name) {
    try {
      return Files.createDirectories(path.resolve(name));
    } catch (IOException e) {
      throw new Unusable(
          "The lab cannot write to "
              + path
              + ". Make the folder writable, or set lab.data-dir to another one.",
          e);
    }
  }

  /** What all files in the folder take, in bytes. */
  public long bytes() {
    return bytes("");
  }

  /**
   * What the files of one room take, in bytes; files that vanish while it is counted are left out.
   */
  public long bytes(String room) {
    Path start = path.resolve(room);
    long[] bytes = {0};
    try {
      Files.walkFileTree(
          start,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              bytes[0] += attributes.size();
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException gone) {
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException gone) {
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes[0];
  }

  @Override
  public void close() {
    try {
      lock.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
