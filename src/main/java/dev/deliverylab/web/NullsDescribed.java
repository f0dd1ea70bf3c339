package dev.deliverylab.web;

import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.core.converter.ModelConverterContext;
import io.swagger.v3.core.util.Json;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.Schema;
import java.lang.reflect.RecordComponent;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Says of each field that is null where something is not known that it may be. */
@Component
final class NullsDescribed implements ModelConverter {

  @Override
  public @Nullable Schema<?> resolve(
      AnnotatedType type, ModelConverterContext context, Iterator<ModelConverter> chain) {
    if (!chain.hasNext()) {
      return null;
    }
    Schema<?> schema = chain.next().resolve(type, context, chain);
    Class<?> described = Json.mapper().constructType(type.getType()).getRawClass();
    if (schema != null && described.isRecord()) {
      Schema<?> model =
          schema.get$ref() == null
              ? schema
              : context
                  .getDefinedModels()
                  .get(schema.get$ref().substring(schema.get$ref().lastIndexOf('/') + 1));
      if (model != null && model.getProperties() != null) {
        describe(described, model);
      }
    }
    return schema;
  }

  @SuppressWarnings("rawtypes") // the model's own signature
  private static void describe(Class<?> record, Schema<?> model) {
    Map<String, Schema> fields = model.getProperties();
    for (RecordComponent component : record.getRecordComponents()) {
      Schema<?> field = fields.get(component.getName());
      if (field != null && component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
        fields.put(component.getName(), orNull(field));
      }
    }
  }

  private static Schema<?> orNull(Schema<?> field) {
    if (field.get$ref() != null) {
      return new JsonSchema()
          .addOneOfItem(field)
          .addOneOfItem(new JsonSchema().types(Set.of("null")));
    }
    Set<String> types = field.getTypes();
    if (types != null && !types.contains("null")) {
      Set<String> more = new LinkedHashSet<>(types);
      more.add("null");
      field.setTypes(more);
    }
    return field;
  }
}
