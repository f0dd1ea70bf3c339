/** The guarantees, one class each, in which the order of the lines is the order of the steps. */
@org.springframework.modulith.ApplicationModule(allowedDependencies = {"log", "sink"})
@org.jspecify.annotations.NullMarked
package dev.deliverylab.guarantee;
