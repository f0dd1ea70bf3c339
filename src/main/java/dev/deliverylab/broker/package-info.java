/**
 * The embedded KRaft broker or an existing cluster, the names the lab owns there, and the relay
 * that can cut a lane off.
 */
@org.springframework.modulith.ApplicationModule(allowedDependencies = {})
@org.jspecify.annotations.NullMarked
package dev.deliverylab.broker;
