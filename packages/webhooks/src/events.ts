/** A value that JSON can hold. */
export type JsonValue = string | number | boolean | null | JsonObject | readonly JsonValue[];

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

interface Envelope {
  /** Unique delivery id, kept when it is sent again: deduplicate by it. */
  id: string;
  /** When the event occurred, ISO 8601 in UTC. */
  createdAt: string;
}

interface Origin {
  runId: string;
  procedureId: string;
  environment: "sandbox" | "live";
  /**
   * Number of the event within its run, from 1, in the order in which the events occurred. Deliveries may arrive in another
   * order, and the numbers of events that the webhook does not subscribe to are missing.
   *
   * Absent in events that were recorded before events were numbered.
   */
  sequence?: number;
}

/** Envelope of the event of a run that completed. */
export interface RunCompletedEvent extends Envelope {
  event: "run_completed";
  data: Origin & { status: "completed"; output: JsonObject };
}

/** Envelope of the event of a run that failed. */
export interface RunFailedEvent extends Envelope {
  event: "run_failed";
  data: Origin & { status: "failed"; error: string };
}

/** Envelope of the event of a run that waits for people. */
export interface HumanReviewRequestedEvent extends Envelope {
  event: "human_review_requested";
  /** `reviewTitle` is configured on the review node; `reviewData` holds the data that the reviewer sees. */
  data: Origin & { reviewTitle: string; reviewData: JsonObject };
}

/** An event that a procedure's step emits: `custom.` and its name. */
export interface CustomEvent extends Envelope {
  event: `custom.${string}`;
  data: Origin & { payload: JsonObject };
}

/** Body of a webhook delivery. `event` tells the kinds apart. */
export type WebhookEvent = RunCompletedEvent | RunFailedEvent | HumanReviewRequestedEvent | CustomEvent;
