package dev.deliverylab.guarantee;

/** What a guarantee claims, by the outcomes that would break it. */
public enum Promise {
  NO_DUPLICATE("no order is applied twice", false, true),
  NO_LOSS("no order is lost", true, false),
  NEITHER("no order is lost or applied twice", true, true);

  private final String sentence;
  private final boolean brokenByLoss;
  private final boolean brokenByDuplicate;

  Promise(String sentence, boolean brokenByLoss, boolean brokenByDuplicate) {
    this.sentence = sentence;
    this.brokenByLoss = brokenByLoss;
    this.brokenByDuplicate = brokenByDuplicate;
  }

  public String sentence() {
    return sentence;
  }

  public boolean brokenByLoss() {
    return brokenByLoss;
  }

  public boolean brokenByDuplicate() {
    return brokenByDuplicate;
  }
}
