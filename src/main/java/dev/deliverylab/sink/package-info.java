/** Tables where effects land, and what their readers see. */
@org.springframework.modulith.ApplicationModule(allowedDependencies = {"log"})
@org.jspecify.annotations.NullMarked
package dev.deliverylab.sink;
