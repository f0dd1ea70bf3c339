package dev.deliverylab.log;

import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;

/**
 * Orders inside a larger JSON body, read from its own text: a tree in between would round numbers
 * and drop a repeated field. What is wrong arrives as an {@link OrderRefused}, in Jackson's
 * wrapping as its cause.
 */
public final class OrderDeserializer extends StdDeserializer<Order> {

  private final OrderCodec codec = new OrderCodec();

  public OrderDeserializer() {
    super(Order.class);
  }

  @Override
  public Order deserialize(JsonParser in, DeserializationContext context) {
    return codec.read(in);
  }
}
