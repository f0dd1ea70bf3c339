package dev.deliverylab.scenario;

import java.util.List;
import org.springframework.data.jdbc.repository.query.Modifying;
import org.springframework.data.jdbc.repository.query.Query;
import org.springframework.data.repository.CrudRepository;

/** The runs in the lab's own database. */
interface RunRows extends CrudRepository<RunRow, Long> {

  List<RunRow> findByState(Run.State state);

  /** The newest first. */
  @Query("select * from runs order by id desc limit :limit")
  List<RunRow> newest(int limit);

  @Modifying
  @Query("delete from runs where id <= :id")
  void forgetUpTo(long id);
}
