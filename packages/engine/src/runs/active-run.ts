import type { CompiledProcedure, Entry, RunState } from "@procedo/procedure";
import { fold } from "@procedo/procedure";
import type {
  BudgetSettlement,
  NewEvent,
  NewInvocation,
  NewReview,
  Notification,
  RunCommit,
  RunCreation,
  RunPlace,
} from "@procedo/storage";
import type { Principal } from "../access/principal.ts";
import { settledBy } from "../budgets/call-settlements.ts";
import { eventOf } from "./event-of.ts";
import type { JournalWriter } from "../journal/journal-writer.ts";
import { rowMemory } from "../journal/parsed-bytes.ts";
import { invocationOf } from "../journal/invocation.ts";
import { reviewRowOf } from "../reviews/review-row.ts";

/**
 * A run in the hands of its one owner: its state, and what is not durable yet. Nothing here outlives the process;
 * whatever matters is in the journal before anything outside depends on it.
 */
export interface ActiveRun {
  readonly procedure: CompiledProcedure;
  readonly writer: JournalWriter;
  state: RunState;
  /** Set until the first row is committed. */
  creation: RunCreation | undefined;
  /** Who starts the run: without a key that exists, its first row is not sent. */
  starter: Pick<Principal, "isRevoked"> | undefined;
  /** Set until the row is committed with which the run goes on from where it rested: storage takes both together. */
  news: News | undefined;
  /** Entries that are folded into `state` and belong to the next row. */
  pending: Entry[];
  consumed: string[];
  openReview: NewReview | undefined;
  closeReview: RunCommit["closeReview"];
  /** The call that the next row hands out. */
  invocation: NewInvocation | undefined;
  /** What the next row gives back, or knows to be spent, of its budgets; most rows bring none. */
  settle: readonly BudgetSettlement[] | undefined;
  events: NewEvent[];
  /** Notifications that are read and not folded yet. */
  inbox: Notification[];
  /** Storage may hold notifications that are not in `inbox`. */
  inboxStale: boolean;
  /** When storage had the run's wait end, as long as nothing has happened to the run since it was claimed for that. */
  dueAtMs: number | undefined;
  /** Estimated bytes of memory that the rows of its journal take. */
  journalMemory: number;
}

/** What a run is told with which it goes on. */
export interface News {
  /** Stores it, with the row that follows from it if nothing else was said to the run; whether the row is durable. */
  store(next: RunCommit): Promise<boolean>;
  /** Whether storage took this, and nothing else in its place. */
  isStored(next: RunCommit): Promise<boolean>;
}

export function createActiveRun(
  procedure: CompiledProcedure,
  writer: JournalWriter,
  state: RunState,
  inbox: readonly Notification[],
): ActiveRun {
  return {
    procedure,
    writer,
    state,
    creation: undefined,
    starter: undefined,
    news: undefined,
    pending: [],
    consumed: [],
    openReview: undefined,
    closeReview: undefined,
    invocation: undefined,
    settle: undefined,
    events: [],
    inbox: [...inbox],
    inboxStale: false,
    dueAtMs: undefined,
    journalMemory: 0,
  };
}

export function runIdOf(run: ActiveRun): string {
  return run.writer.head.runId;
}

/** Folds an entry into the run and into its next row. */
export function append(run: ActiveRun, entry: Entry): void {
  const before = run.state;
  run.state = fold(run.procedure, before, entry);
  run.dueAtMs = undefined;
  noteEntry(run, entry);
  const settlement = settledBy(run.procedure, before, entry);
  if (settlement !== undefined) settle(run, settlement);
  if (entry.type === "intent" && entry.frozen.dispatched === true)
    run.invocation = invocationOf(run.state.facts, entry);
  if (entry.type === "review_opened") run.openReview = reviewRowOf(entry);
  if (entry.type === "ended" && before.cursor.at === "review") run.closeReview = { status: "cancelled" };
  if (entry.type === "review_closed" && (entry.answer.status === "settled" || entry.answer.status === "cancelled")) {
    run.closeReview = { status: entry.answer.status };
  }
}

/** Puts into the next row what has become of a reservation. */
export function settle(run: ActiveRun, settlement: BudgetSettlement): void {
  run.settle = run.settle === undefined ? [settlement] : [...run.settle, settlement];
}

/** What a run was before something was appended that may have to be taken back. */
export type Mark = Pick<ActiveRun, "state" | "openReview" | "closeReview" | "invocation" | "settle"> & {
  readonly pending: number;
  readonly consumed: number;
  readonly events: number;
};

export function markOf(run: ActiveRun): Mark {
  const { state, openReview, closeReview, invocation, settle, pending, consumed, events } = run;
  return {
    state,
    openReview,
    closeReview,
    invocation,
    settle,
    pending: pending.length,
    consumed: consumed.length,
    events: events.length,
  };
}

/** Takes back what was appended since the mark; none of it is durable. What it had consumed is read again. */
export function backTo(run: ActiveRun, mark: Mark): void {
  run.state = mark.state;
  run.openReview = mark.openReview;
  run.closeReview = mark.closeReview;
  run.invocation = mark.invocation;
  run.settle = mark.settle;
  run.pending.length = mark.pending;
  run.consumed.length = mark.consumed;
  run.events.length = mark.events;
  run.inboxStale = true;
}

/** Puts an entry that the state already contains into the next row. */
export function noteEntry(run: ActiveRun, entry: Entry): void {
  const event = eventOf(run.state, entry, run.writer.head.seq + 1, run.events.length);
  if (event !== undefined) run.events.push(event);
  run.pending.push(entry);
}

/** The run's next row, made of everything that is pending. */
export function nextRow(run: ActiveRun, then: RunPlace): RunCommit {
  return run.writer.row(
    run.pending,
    {
      consume: run.consumed,
      openReview: run.openReview,
      closeReview: run.closeReview,
      invocation: run.invocation,
      settle: run.settle,
      events: run.events,
    },
    then,
    run.creation,
  );
}

/** Nothing is pending any more: the row is durable. */
export function rowCommitted(run: ActiveRun, row: RunCommit): void {
  run.writer.advance(row);
  run.journalMemory += rowMemory(row.body);
  run.creation = undefined;
  run.starter = undefined;
  run.news = undefined;
  run.pending = [];
  // Storage may keep what it was given; most rows bring about nothing but themselves.
  if (run.consumed.length > 0) run.consumed = [];
  run.openReview = undefined;
  run.closeReview = undefined;
  run.invocation = undefined;
  run.settle = undefined;
  if (run.events.length > 0) run.events = [];
}
