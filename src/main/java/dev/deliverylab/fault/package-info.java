/** Crash points, what is armed, and the death of a lane. */
@org.springframework.modulith.ApplicationModule(allowedDependencies = {"guarantee"})
@org.jspecify.annotations.NullMarked
package dev.deliverylab.fault;
