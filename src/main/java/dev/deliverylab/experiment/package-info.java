/**
 * The current experiment: one log, its lanes, their sinks and their counts, from empty to reset.
 */
@org.springframework.modulith.ApplicationModule(
    allowedDependencies = {
      "broker",
      "log",
      "sink",
      "guarantee",
      "fault",
      "history",
      "lane",
      "check"
    })
@org.jspecify.annotations.NullMarked
package dev.deliverylab.experiment;
