/**
 * Orders, the source topic, appending and importing them, generated load, and the truth derived
 * from the log.
 */
@org.springframework.modulith.ApplicationModule(allowedDependencies = {"broker"})
@org.jspecify.annotations.NullMarked
package dev.deliverylab.log;
