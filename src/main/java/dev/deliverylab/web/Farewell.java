package dev.deliverylab.web;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;

/** Lets somebody go who followed a stream, however the stream ended. */
record Farewell(Runnable leave) implements AsyncListener {

  @Override
  public void onComplete(AsyncEvent event) {
    leave.run();
  }

  @Override
  public void onTimeout(AsyncEvent event) {
    leave.run();
  }

  @Override
  public void onError(AsyncEvent event) {
    leave.run();
  }

  @Override
  public void onStartAsync(AsyncEvent event) {}
}
