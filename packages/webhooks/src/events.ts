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
}

export interface RunCompletedEvent extends Envelope {
  event: "run_completed";
  data: Origin & { status: "completed"; output: JsonObject };
}

export interface RunFailedEvent extends Envelope {
  event: "run_failed";
  data: Origin & { status: "failed"; error: string };
}

export interface HumanReviewRequestedEvent extends Envelope {
  event: "human_review_requested";
  /** `reviewTitle` is configured on the review node; `reviewData` is what the reviewer sees. */
  data: Origin & { reviewTitle: string; reviewData: JsonObject };
}

/** An event that a procedure's step emits: `custom.` and its name. */
export interface CustomEvent extends Envelope {
  event: `custom.${string}`;
  data: Origin & { payload: JsonObject };
}

/** What a webhook is sent: narrows by `event`. */
export type WebhookEvent = RunCompletedEvent | RunFailedEvent | HumanReviewRequestedEvent | CustomEvent;
