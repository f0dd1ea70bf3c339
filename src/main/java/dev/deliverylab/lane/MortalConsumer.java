package dev.deliverylab.lane;

import dev.deliverylab.fault.Death;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A lane's consumer that can be dead. spring-kafka closes a consumer politely whatever happened,
 * and a polite close commits and leaves the group; after a death this one closes without waiting,
 * behind connections that are cut already.
 */
final class MortalConsumer {

  private static final Duration POLITE_CLOSE = Duration.ofSeconds(10);

  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile boolean dead;
  private volatile @Nullable Thread poller;
  private volatile @Nullable Consumer<byte[], byte[]> real;

  @SuppressWarnings("unchecked")
  Consumer<byte[], byte[]> around(Consumer<byte[], byte[]> consumer) {
    real = consumer;
    return (Consumer<byte[], byte[]>)
        Proxy.newProxyInstance(
            Consumer.class.getClassLoader(),
            new Class<?>[] {Consumer.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close")) {
                close(consumer);
                return null;
              }
              if (method.getName().equals("unsubscribe")) {
                // spring-kafka unsubscribes just before it closes, and a client without partitions
                // has nothing to commit: a polite stop would lose what the client's own close
                // keeps.
                return null;
              }
              boolean poll = method.getName().equals("poll");
              if (poll) {
                poller = Thread.currentThread();
                throwIfDead();
              }
              try {
                Object answer = method.invoke(consumer, arguments);
                if (poll) {
                  throwIfDead();
                }
                return answer;
              } catch (InvocationTargetException e) {
                throwIfDead();
                throw e.getCause();
              }
            });
  }

  /** From here on nothing that the consumer is asked to do succeeds; a poll that waits is woken. */
  void die() {
    dead = true;
    Consumer<byte[], byte[]> consumer = real;
    if (consumer != null) {
      consumer.wakeup();
    }
    Thread thread = poller;
    if (thread != null && thread != Thread.currentThread()) {
      thread.interrupt();
    }
  }

  /** Waits until the consumer is closed; false when time ran out first. */
  boolean awaitClosed(Duration timeout) throws InterruptedException {
    return closed.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void close(Consumer<byte[], byte[]> consumer) {
    try {
      if (dead) {
        // An interrupt that is still pending would make the close throw half way and leave threads
        // behind.
        Thread.interrupted();
      }
      consumer.close(CloseOptions.timeout(dead ? Duration.ZERO : POLITE_CLOSE));
    } finally {
      closed.countDown();
    }
  }

  private void throwIfDead() {
    if (dead) {
      throw new Death("the lane is dead");
    }
  }
}
