package dev.deliverylab.lane;

import dev.deliverylab.guarantee.Step;
import dev.deliverylab.log.InLog;
import org.jspecify.annotations.Nullable;

/** The step a lane is at. */
public record Now(Step step, int batch, @Nullable Integer record, @Nullable InLog logRecord) {}
