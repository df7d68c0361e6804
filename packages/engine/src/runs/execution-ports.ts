import type { RunLimits, RunState } from "@procedo/procedure";
import type { Environment } from "@procedo/contract";
import type { NewInvocation, Storage } from "@procedo/storage";
import type { TurnPorts } from "../agent/model-turn.ts";
import type { CallLimiter } from "../calls/call-limiter.ts";
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
  readonly callLimiter: CallLimiter;
  readonly random: Random;
  readonly limits: RunLimits;
  readonly log: Log;
  readonly observe: Observe;
  readonly waiters: Waiters;
  /** Called when the end of a run that a trigger started is durable. */
  readonly triggeredEnd: (run: Pick<RunState, "facts" | "trigger" | "cursor">) => void;
  readonly slices: Slices;
  /** Reserves a poll of this process for the call of the next row; `undefined` if no waiting poll accepts that call. */
  readonly reservePoll: (environment: Environment, invocation: NewInvocation) => Reservation | undefined;
}

/** The worker that owns a run, as the run's execution sees it. */
export interface Holder {
  readonly workerId: string;
  /** Why a call now would violate the lease; `undefined` while the lease holds. */
  readonly leaseViolation: () => string | undefined;
  /** Number of the worker's current lease; see `Lease.leaseGeneration`. */
  readonly leaseGeneration: number;
  /** Given when the worker begins to drain: calls that have not begun do not begin. */
  readonly drains: Notice;
  /** Given when calls under way are aborted: the worker is stopping, and its time for draining is over. */
  readonly callsAborted: Notice;
  /** Aborts when the worker ends, even while its runs are executed. */
  readonly stopped: AbortSignal;
  /** Whether runs are to be released at their next step. */
  draining(): boolean;
  /** Whether this run is to be released at its next step, because the runs held before it leave no memory for it. */
  isTooLarge(run: ActiveRun): boolean;
}
