package dev.deliverylab.fault;

/**
 * The end of a lane's life. It is an {@link Error} because spring-kafka retries an exception and
 * commits around it; an error stops the container and commits nothing. It unwinds a thread whose
 * connections are cut already.
 */
public final class Death extends Error {

  public Death(String where) {
    super(where, null, false, false);
  }
}
