/** Delivery Lab: what delivery guarantees really do, shown on real consumers. */
@org.jspecify.annotations.NullMarked
package dev.deliverylab;
