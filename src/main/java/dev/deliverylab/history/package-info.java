/** What happened, in order, in bounded memory; it feeds the browser and survives a kill. */
@org.springframework.modulith.ApplicationModule(allowedDependencies = {"log", "guarantee", "fault"})
@org.jspecify.annotations.NullMarked
package dev.deliverylab.history;
