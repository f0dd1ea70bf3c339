/** The life of a hosted consumer: start, stop, crash, restart, pause, resume and replay. */
@org.springframework.modulith.ApplicationModule(
    allowedDependencies = {"broker", "log", "sink", "guarantee", "fault", "history"})
@org.jspecify.annotations.NullMarked
package dev.deliverylab.lane;
