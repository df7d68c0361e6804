import type { RunLimits } from "@procedo/procedure";
import type { Environment } from "@procedo/contract";
import type { NewInvocation, Storage } from "@procedo/storage";
import type { TurnPorts } from "../agent/model-turn.ts";
import type { CallPorts } from "../calls/make-call.ts";
import type { KnownConnection } from "../connections/resolved-connection.ts";
import type { Slices } from "../journal/slices.ts";
import type { Log } from "../ports/log.ts";
import type { Notice } from "../ports/notice.ts";
import type { Observe } from "../ports/observe.ts";
import type { Random } from "../ports/random.ts";
import type { Reservation } from "../private-connections/poll-reservations.ts";
import type { ActiveRun } from "./active-run.ts";
import type { StepPorts } from "./perform-step.ts";
import type { Waiters } from "./waiters.ts";

export interface ExecutionPorts extends StepPorts, Omit<CallPorts, "limits">, Pick<TurnPorts, "unforced"> {
  readonly storage: Pick<Storage, "budgets" | "inbox" | "invocations" | "reviews" | "runs">;
  readonly knownConnection: KnownConnection;
  readonly random: Random;
  readonly limits: RunLimits;
  readonly log: Log;
  readonly observe: Observe;
  readonly waiters: Waiters;
  readonly slices: Slices;
  /** Reserves a poll that is held in this process for a call of the next row; `undefined`: none is held that may take it. */
  readonly reservePoll: (environment: Environment, invocation: NewInvocation) => Reservation | undefined;
}

/** The worker that holds the run, as its runs see it. */
export interface Holder {
  readonly workerId: string;
  /** Why a call now would violate the lease; `undefined` while the lease holds. */
  readonly leaseViolation: () => string | undefined;
  /** The number of the worker's present lease: see `Lease.leaseGeneration`. */
  readonly leaseGeneration: number;
  /** Given when calls under way are aborted: the worker stops, and the time for draining is over. */
  readonly callsAborted: Notice;
  /** Aborts when the worker ends, whatever its runs are doing. */
  readonly stopped: AbortSignal;
  /** Whether runs are to be handed back at their next step. */
  draining(): boolean;
  /** Whether this run is to be handed back at its next step: it has no room in memory beside those that were here before it. */
  isTooLarge(run: ActiveRun): boolean;
}
