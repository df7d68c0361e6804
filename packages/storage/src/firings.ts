import type { RunStatus } from "./run-query.ts";
import type { Scope } from "./scope.ts";
import type { EventContent, EventFacts } from "./incoming-events.ts";

/** A firing that is added to a trigger. */
export interface AddedFiring {
  /** Unique for the trigger. */
  readonly dedupeKey: string;
  /** The person who asked for it, and who starts its run: it passes every gate. @defaultValue the trigger itself */
  readonly requestedBy?: string;
  /** The nominal time, of a firing for a time of a schedule. @defaultValue none */
  readonly scheduledAtMs?: number;
  /** Event and times of this firing become those of the new one. `scheduledAtMs` takes precedence. */
  readonly refireOf?: string;
  /** An event of its own, whose type is `manual`. */
  readonly event?: EventFacts & EventContent;
}

/** Claimed firings, those that the gates ended, and the time of the next claim. */
export interface FiringClaim {
  /** In the order in which their runs should start. */
  readonly firings: readonly ClaimedFiring[];
  /** Firings that the gates ended, for counts of them. */
  readonly skipped: readonly {
    /** The workspace and environment of the trigger. */
    readonly scope: Scope;
    /** The trigger of the firings. */
    readonly triggerId: string;
    /** Why they ended: behind an open firing, or before a newer one. */
    readonly reason: "overlap" | "superseded";
    /** Number of the firings. */
    readonly count: number;
  }[];
  /** When the next claim may find a further firing, by storage's clock; `undefined` if only a write can make one due. */
  readonly nextDueAtMs: number | undefined;
}

/** A firing that a worker now holds. */
export interface ClaimedFiring {
  /** The workspace and environment of the trigger. */
  readonly scope: Scope;
  /** The trigger of the firing. */
  readonly triggerId: string;
  /** Identifier of the firing. */
  readonly firingId: string;
  /** Number of the claim, larger than that of any earlier claim of this firing. */
  readonly epoch: number;
  /** The person who asked for it; `undefined` for a firing by itself. */
  readonly requestedBy: string | undefined;
  /** The nominal time, of a firing for a time of a schedule. */
  readonly scheduledAtMs: number | undefined;
  /** The sender's time of the event, if it stated one. */
  readonly occurredAtMs: number | undefined;
  /** Time of its creation by storage's clock, in milliseconds since the epoch. */
  readonly receivedAtMs: number;
  /** The firing that this one repeats. */
  readonly refireOf: string | undefined;
  /** `undefined` for a firing without an event. */
  readonly event: ClaimedEvent | undefined;
}

/** The event of a claimed firing. */
export interface ClaimedEvent extends EventFacts {
  /** `undefined` once retention has removed it. */
  readonly content: EventContent | undefined;
  /** Length of the chain of runs before it, in which each run started the next by an event; 0 without one. */
  readonly chainDepth: number;
}

/** The end of a claimed firing that starts no run, or its return to the queue. */
export interface FiringSettlement {
  /** The workspace and environment of the trigger. */
  readonly scope: Scope;
  /** Identifier of the firing. */
  readonly firingId: string;
  /** The epoch of the claim. */
  readonly epoch: number;
  /** The firing's next status. */
  readonly next:
    | {
        readonly status: "skipped";
        /** Why no run starts. */
        readonly reason: string;
      }
    | {
        readonly status: "failed";
        /** The kind of the failure. */
        readonly reason: string;
        /** The failure, as JSON text. */
        readonly error: string;
      }
    | {
        readonly status: "pending";
        /** How long after this call it is due again, in milliseconds; 0 or more. */
        readonly afterMs: number;
      };
}

/** Status of a firing. */
export type FiringStatus = "pending" | "waiting" | "started" | "skipped" | "failed";

/** The firings of a trigger to list. */
export interface FiringQuery {
  /** The workspace and environment of the trigger. */
  readonly scope: Scope;
  /** The trigger whose firings are listed. */
  readonly triggerId: string;
  /** Only firings of this status. @defaultValue any status */
  readonly status?: FiringStatus;
  /** Earliest time of its creation, inclusive. */
  readonly fromMs?: number;
  /** Latest time of its creation, exclusive. */
  readonly toMs?: number;
}

/** A firing as it is stored. */
export interface FiringRow {
  /** The workspace and environment of the trigger. */
  readonly scope: Scope;
  /** The trigger of the firing. */
  readonly triggerId: string;
  /** Identifier of the firing. */
  readonly firingId: string;
  /** `pending` also while it is claimed. */
  readonly status: FiringStatus;
  /** The person who asked for it; `undefined` for a firing by itself. */
  readonly requestedBy: string | undefined;
  /** Of a skipped or failed firing. */
  readonly reason: string | undefined;
  /** Of a failed firing, as JSON text. */
  readonly error: string | undefined;
  /** How many times it stands for: more than 1 only for skipped times of a schedule. */
  readonly count: number;
  /** The nominal time, of a firing for a time of a schedule. */
  readonly scheduledAtMs: number | undefined;
  /** The sender's time of the event, if it stated one. */
  readonly occurredAtMs: number | undefined;
  /** Time of its creation by storage's clock, in milliseconds since the epoch. */
  readonly receivedAtMs: number;
  /** Time at which its run was created. */
  readonly startedAtMs: number | undefined;
  /** `undefined` for a firing without an event. */
  readonly event: EventFacts | undefined;
  /** How often its event arrived again. */
  readonly duplicates: number;
  /** The firing that this one repeats. */
  readonly refireOf: string | undefined;
  /** The run that it started, with its present status. */
  readonly run:
    | {
        /** Identifier of the run. */
        readonly runId: string;
        /** The version that the run executes. */
        readonly procedureVersion: string;
        /** Status of the run. */
        readonly status: RunStatus;
      }
    | undefined;
}
