/** An event that is committed together with its row. */
export interface NewEvent {
  /** Identifier of the event; never used before. */
  readonly eventId: string;
  /** `run_completed`, `run_failed`, `human_review_requested` or `custom.<name>` */
  readonly event: string;
  /** Time of the event, in milliseconds since the epoch. */
  readonly createdAtMs: number;
  /** The envelope's `data`, as JSON text. */
  readonly data: string;
  /** For an event that procedures can start from. @defaultValue no trigger takes it */
  readonly fires?: {
    /** Record keys of the triggers that take it: see `triggerEventKey`. */
    readonly keys: readonly string[];
    /** The event as triggers read it, as JSON text. */
    readonly body: string;
    /** SHA-256 over the body, hex. */
    readonly digest: string;
    /** Length of the chain of runs before this one, in which each run started the next by an event. */
    readonly chainDepth: number;
  };
}
