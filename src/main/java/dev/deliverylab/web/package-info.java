/** Pages, REST, server-sent events and problem details. No rule of the domain lives here. */
@org.springframework.modulith.ApplicationModule(
    allowedDependencies = {
      "broker",
      "log",
      "sink",
      "guarantee",
      "fault",
      "history",
      "lane",
      "check",
      "experiment",
      "scenario",
      "time"
    })
@org.jspecify.annotations.NullMarked
package dev.deliverylab.web;
