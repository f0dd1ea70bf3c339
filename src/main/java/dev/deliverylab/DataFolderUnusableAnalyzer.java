package dev.deliverylab;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Lets a start without a usable data folder end with its sentence, not with a stack trace. */
class DataFolderUnusableAnalyzer extends AbstractFailureAnalyzer<DataFolder.Unusable> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, DataFolder.Unusable cause) {
    return new FailureAnalysis(cause.getMessage(), null, cause);
  }
}
