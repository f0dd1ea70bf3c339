package dev.deliverylab;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Keeps the last of the disk free. Kafka ends the whole process when it cannot write, so the lab
 * stops taking orders before it comes to that; what is in the log already can still be worked off.
 */
public final class DiskSpace {

  private static final long LOOK_AGAIN_NANOS = 200_000_000L;

  private final FileStore disk;
  private final long keepFree;
  private volatile long lookedAt;
  private volatile long free;

  /** There is too little space left. The message is a plain sentence that says what to do next. */
  public static final class NearlyFull extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NearlyFull(long free, long keepFree) {
      super(
          "the disk has "
              + (free >> 20)
              + " MiB left and the lab keeps "
              + (keepFree >> 20)
              + " MiB free: make space, or reset the experiment; nothing is lost");
    }
  }

  /**
   * @param keepFree bytes below which nothing is appended
   * @throws IOException if the folder's disk cannot be found
   */
  public DiskSpace(Path folder, long keepFree) throws IOException {
    this.disk = Files.getFileStore(folder);
    this.keepFree = keepFree;
    this.free = disk.getUsableSpace();
    this.lookedAt = System.nanoTime();
  }

  /**
   * Cheap enough to be asked before every order.
   *
   * @throws NearlyFull if there is too little
   */
  public void require() {
    long now = System.nanoTime();
    if (now - lookedAt > LOOK_AGAIN_NANOS) {
      lookedAt = now;
      try {
        free = disk.getUsableSpace();
      } catch (IOException e) {
        // A disk that does not say is tried: the write will tell.
        free = Long.MAX_VALUE;
      }
    }
    if (free < keepFree) {
      throw new NearlyFull(free, keepFree);
    }
  }
}
