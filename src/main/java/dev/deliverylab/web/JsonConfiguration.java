package dev.deliverylab.web;

import java.math.BigDecimal;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;
import tools.jackson.databind.type.LogicalType;

/**
 * How JSON is written and read. Money is a string, so that no reader makes a binary fraction of it.
 */
@Configuration(proxyBeanMethods = false)
class JsonConfiguration {

  @Bean
  JsonMapperBuilderCustomizer moneyAsText() {
    return builder ->
        builder.addModule(new SimpleModule().addSerializer(BigDecimal.class, new Money()));
  }

  /** A number where a word belongs is a mistake, and is told, not guessed around. */
  @Bean
  JsonMapperBuilderCustomizer numbersAreNoWords() {
    return builder ->
        builder.withCoercionConfig(
            LogicalType.Textual,
            words ->
                words
                    .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                    .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                    .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail));
  }

  private static final class Money extends StdSerializer<BigDecimal> {

    Money() {
      super(BigDecimal.class);
    }

    @Override
    public void serialize(BigDecimal amount, JsonGenerator out, SerializationContext context) {
      out.writeString(amount.toPlainString());
    }
  }
}
