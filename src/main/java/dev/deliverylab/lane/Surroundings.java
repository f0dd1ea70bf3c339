package dev.deliverylab.lane;

import dev.deliverylab.broker.Broker;
import dev.deliverylab.history.History;
import java.time.Clock;

/** What every lane of the lab shares. */
record Surroundings(Broker broker, History history, Pace pace, LaneRows rows, Clock clock) {}
