/** Scripts of actions and expected numbers, their runs and reports. */
@org.springframework.modulith.ApplicationModule(
    allowedDependencies = {"log", "guarantee", "fault", "lane", "check", "experiment"})
@org.jspecify.annotations.NullMarked
package dev.deliverylab.scenario;
