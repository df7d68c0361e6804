/** A review that is opened together with its row. */
export interface NewReview {
  /** Identifier of the review; never used before. */
  readonly reviewId: string;
  /** The node that opens the review. */
  readonly nodeId: string;
  /** The reason for the review. */
  readonly kind: string;
  /** The question to the reviewers. */
  readonly title: string;
  /** The rules for deciders, as JSON text. */
  readonly body: string;
  /** SHA-256 over the content that reviewers see. */
  readonly digest: string;
  /** The notification that settles it. */
  readonly effectKey: string;
  /** Time of its opening, in milliseconds since the epoch. */
  readonly openedAtMs: number;
  /** Time of its expiry, in milliseconds since the epoch, for lists. @defaultValue it does not expire */
  readonly expiresAtMs?: number;
  /** The text for reviewers, as JSON text, if it is not read from the run's journal. Lists omit it. */
  readonly shown?: string;
}
