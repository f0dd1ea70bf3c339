package dev.deliverylab.experiment;

import java.util.Optional;
import org.springframework.data.repository.CrudRepository;

/** All experiments there ever were in this data folder. */
interface ExperimentRows extends CrudRepository<ExperimentRow, Long> {

  Optional<ExperimentRow> findFirstByOrderByIdDesc();
}
