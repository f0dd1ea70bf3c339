/** Scripts of actions and expected numbers, their runs and reports. */
@org.springframework.modulith.ApplicationModule(
    allowedDependencies = {
      "log",
      "guarantee",
      "fault",
      "history",
      "lane",
      "check",
      "experiment",
      "time"
    })
@org.jspecify.annotations.NullMarked
package dev.deliverylab.scenario;
