package dev.deliverylab.broker;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Lets a start that fails for want of a broker end with its sentence, not with a stack trace. */
class BrokerUnavailableAnalyzer extends AbstractFailureAnalyzer<BrokerUnavailable> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, BrokerUnavailable cause) {
    return new FailureAnalysis(cause.getMessage(), null, cause);
  }
}
