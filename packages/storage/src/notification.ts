/** A message to a run from anyone but its owner. */
export interface Notification {
  readonly effectKey: string;
  /** JSON text. */
  readonly body: string;
}
