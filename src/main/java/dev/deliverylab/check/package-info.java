/**
 * Truth, sink and progress in; counts and verdict out. Pure functions, and the running count that
 * uses them.
 */
@org.springframework.modulith.ApplicationModule(allowedDependencies = {"log", "sink", "guarantee"})
@org.jspecify.annotations.NullMarked
package dev.deliverylab.check;
