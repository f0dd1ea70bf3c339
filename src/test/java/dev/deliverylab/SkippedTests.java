package dev.deliverylab;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** Prints each test that did not run, and why: a missing browser must not pass for a green test. */
public class SkippedTests implements TestExecutionListener {

  @Override
  public void executionSkipped(TestIdentifier test, String reason) {
    print(test, reason);
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (result.getStatus() == Status.ABORTED) {
      print(test, result.getThrowable().map(Throwable::getMessage).orElse("no reason given"));
    }
  }

  private static void print(TestIdentifier test, String reason) {
    String where =
        test.getSource()
            .filter(MethodSource.class::isInstance)
            .map(source -> ((MethodSource) source).getClassName() + ".")
            .orElse("");
    System.out.println("SKIPPED " + where + test.getLegacyReportingName() + ": " + reason);
  }
}
