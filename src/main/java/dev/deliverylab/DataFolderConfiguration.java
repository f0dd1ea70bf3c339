package dev.deliverylab;

import java.io.IOException;
import java.nio.file.Path;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.unit.DataSize;

/** Opens the data folder before anything else that keeps data, and gives it up last. */
@Configuration(proxyBeanMethods = false)
class DataFolderConfiguration {

  @Bean(destroyMethod = "close")
  DataFolder dataFolder(@Value("${lab.data-dir:data}") String path) {
    return DataFolder.open(Path.of(path));
  }

  @Bean
  DiskSpace diskSpace(DataFolder folder, @Value("${lab.keep-free:200MB}") DataSize keepFree)
      throws IOException {
    return new DiskSpace(folder.path(), keepFree.toBytes());
  }
}
