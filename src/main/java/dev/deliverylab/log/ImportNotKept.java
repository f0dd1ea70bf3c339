package dev.deliverylab.log;

import java.io.IOException;

/** An import that could not be put aside in the data folder, as when the disk is full. */
public final class ImportNotKept extends RuntimeException {

  private static final long serialVersionUID = 1L;

  ImportNotKept(IOException cause) {
    super("the import could not be kept in the data folder; nothing was appended", cause);
  }
}
