/** The life of a hosted consumer */
@org.springframework.modulith.ApplicationModule(
    allowedDependencies = {
      " start",
      "stop",
      "crash",
      "restart",
      "pause",
      "resume",
      "replay.:broker",
      "log",
      "sink",
      "guarantee",
      "fault",
      "history"
    })
@org.jspecify.annotations.NullMarked
package dev.deliverylab.lane;
