package dev.deliverylab.sink;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where lanes write. The lab's own tables stay in its H2 database, wherever the sinks are.
 *
 * @param url empty for the lab's H2 database, else {@code jdbc:postgresql://host:port/database}
 * @param prefix what the names of all sink tables begin with; two labs on one server need two
 */
@ConfigurationProperties("lab.sink")
record SinkSettings(
    @DefaultValue("") String url,
    @DefaultValue("") String username,
    @DefaultValue("") String password,
    @DefaultValue("delivery_lab_") String prefix) {}
