package dev.deliverylab.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class GeneratorTest {

  @Property(tries = 100)
  void theSameSeedGivesTheSameOrdersWithIdsThatCountUpAndTimesThatAscend(
      @ForAll @IntRange(min = 1, max = 300) int count,
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 50) int keys) {
    Generator generator = new Generator(count, seed, keys);
    List<Order> orders = generator.orders(BigInteger.TEN).toList();
    assertThat(generator.orders(BigInteger.TEN)).isEqualTo(orders);
    assertThat(orders).hasSize(count);
    for (int i = 0; i < count; i++) {
      Order order = orders.get(i);
      assertThat(order.orderId()).isEqualTo(10 + i);
      int customer = Integer.parseInt(order.key().substring("customer-".length()));
      assertThat(customer).isBetween(1, keys);
      assertThat(order.amount()).isPositive();
      if (i > 0) {
        assertThat(order.eventTime()).isAfter(orders.get(i - 1).eventTime());
      }
    }
  }

  @Test
  void anotherSeedGivesOtherOrders() {
    assertThat(new Generator(10, 1, 5).orders(BigInteger.ONE))
        .isNotEqualTo(new Generator(10, 2, 5).orders(BigInteger.ONE).toList());
  }

  @Test
  void saysWhatItAllows() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Generator(0, 1, 1))
        .withMessage("count lies between 1 and 1000000");
    assertThatIllegalArgumentException().isThrownBy(() -> new Generator(1_000_001, 1, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Generator(1, 1, 0))
        .withMessageStartingWith("keys");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Dataset.named("six-orders"))
        .withMessage("dataset is one of five-orders");
  }
}
