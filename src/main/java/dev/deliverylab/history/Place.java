package dev.deliverylab.history;

import dev.deliverylab.log.InLog;
import org.jspecify.annotations.Nullable;

/** Where in a lane's loop something happened. */
public record Place(String step, int batch, @Nullable Integer record, @Nullable InLog logRecord) {}
