package dev.deliverylab.experiment;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

/**
 * An experiment as the database remembers it. Ids are never used twice, so an old log never meets
 * new marks.
 */
@Table("EXPERIMENT")
record ExperimentRow(@Id @Nullable Long id, int partitions, int batchSize, Instant createdAt) {}
