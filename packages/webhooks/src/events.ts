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
  /** Identifier of the run. */
  runId: string;
  /** The procedure that the run executes. */
  procedureId: string;
  /** The environment of the run. */
  environment: "sandbox" | "live";
  /**
   * Number of the event within its run, from 1, in the order in which the events occurred. Deliveries may arrive in another
   * order, and the numbers of events that the webhook does not subscribe to are missing.
   */
  sequence?: number;
}

/** Envelope of the event of a run that completed. */
export interface RunCompletedEvent extends Envelope {
  event: "run_completed";
  /** The run and its output. */
  data: Origin & {
    status: "completed";
    /** Output of the run. */
    output: JsonObject;
  };
}

/** Envelope of the event of a run that failed. */
export interface RunFailedEvent extends Envelope {
  event: "run_failed";
  /** The run and its error. */
  data: Origin & {
    status: "failed";
    /** Why the run failed; the reason of a rejected review. */
    error: string;
  };
}

/** Envelope of the event of a run that waits for people. */
export interface HumanReviewRequestedEvent extends Envelope {
  event: "human_review_requested";
  /** `reviewTitle` is configured on the review node; `reviewData` holds the data that the reviewer sees. */
  data: Origin & {
    /** The question to the reviewer. */
    reviewTitle: string;
    /** The data that the reviewer sees. */
    reviewData: JsonObject;
  };
}

/** An event that a procedure's step emits: `custom.` and its name. */
export interface CustomEvent extends Envelope {
  /** Name of the event: `custom.` and the name that the procedure's `emit` gives. */
  event: `custom.${string}`;
  /** The run and the event's payload. */
  data: Origin & {
    /** The payload, as the procedure's `emit` renders it. */
    payload: JsonObject;
  };
}

/** Body of a webhook delivery. `event` tells the kinds apart. */
export type WebhookEvent = RunCompletedEvent | RunFailedEvent | HumanReviewRequestedEvent | CustomEvent;
