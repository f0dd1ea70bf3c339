package dev.deliverylab.time;

import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;

/**
 * Orders with their arrival inside a larger JSON body, read from its own text: a tree in between
 * would round numbers and drop a repeated field. What is wrong arrives as an {@link
 * dev.deliverylab.log.OrderRefused}, in Jackson's wrapping as its cause.
 */
public final class ArrivalDeserializer extends StdDeserializer<Arrival> {

  private final TimeCodec codec = new TimeCodec();

  public ArrivalDeserializer() {
    super(Arrival.class);
  }

  @Override
  public Arrival deserialize(JsonParser in, DeserializationContext context) {
    return codec.read(in);
  }
}
