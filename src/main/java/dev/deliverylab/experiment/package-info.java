/** The current experiment */
@org.springframework.modulith.ApplicationModule(
    allowedDependencies = {
      " one log",
      "its lanes",
      "their sinks and their counts",
      "from empty to reset.:broker",
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
