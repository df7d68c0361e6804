/** A message to a run from anyone but its owner. */
export interface Notification {
  /**
   * Identifies the effect that the notification settles; unique within the run. The first notification with a key
   * counts.
   */
  readonly effectKey: string;
  /** JSON text. */
  readonly body: string;
}
