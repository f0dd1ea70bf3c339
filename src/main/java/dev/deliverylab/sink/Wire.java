package dev.deliverylab.sink;

/**
 * What carries one life's bytes to its database. A driver says goodbye when its connection is
 * closed, and a killed process does not. So a death cuts the wire below the connection instead: its
 * sockets are closed as the operating system closes those of a dead process, and no later byte of
 * that life can reach the database.
 */
@FunctionalInterface
interface Wire {

  /** Nothing more gets through in either direction once this returns. */
  void cut();
}
