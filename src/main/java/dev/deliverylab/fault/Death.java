package dev.deliverylab.fault;

/**
 * The end of a lane's life, as it unwinds the lane's threads. It is an {@link Error} because
 * spring-kafka retries an exception and commits around it; an error stops the container and commits
 * nothing. Whoever throws it has cut the connections first.
 */
public final class Death extends Error {

  private static final long serialVersionUID = 1L;

  public Death(String where) {
    super(where, null, false, false);
  }
}
