package dev.deliverylab.scenario;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

/**
 * A run as the database remembers it.
 *
 * @param report its steps as JSON
 */
@Table("RUNS")
record RunRow(
    @Id @Nullable Long id,
    String scenario,
    String title,
    boolean ofTime,
    Run.State state,
    int planned,
    String report,
    Instant startedAt,
    @Nullable Instant endedAt) {}
