/**
 * Windows, watermarks and late events: the window lanes on a log of their own, its clock, and what
 * waiting longer would buy.
 */
@org.springframework.modulith.ApplicationModule(
    allowedDependencies = {"broker", "log", "sink", "guarantee", "fault", "history", "lane"})
@org.jspecify.annotations.NullMarked
package dev.deliverylab.time;
