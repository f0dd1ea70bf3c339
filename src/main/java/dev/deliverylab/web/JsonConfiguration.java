package dev.deliverylab.web;

import java.math.BigDecimal;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/** Money is a string in JSON, so that no reader makes a binary fraction of it. */
@Configuration(proxyBeanMethods = false)
class JsonConfiguration {

  @Bean
  JsonMapperBuilderCustomizer moneyAsText() {
    return builder ->
        builder.addModule(new SimpleModule().addSerializer(BigDecimal.class, new Money()));
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
