import {
  fold,
  initialState,
  type CompiledProcedure,
  type Entry,
  type RunState,
  type Started,
} from "@procedo/procedure";
import type { BudgetSettlement, NewEvent, Notification, RunCommit, RunCreation, RunPlace } from "@procedo/storage";
import type { Principal } from "../access/principal.ts";
import { settledBy } from "../budgets/call-settlements.ts";
import type { JournalWriter, RowContent } from "../journal/journal-writer.ts";
import { rowMemory } from "../journal/parsed-bytes.ts";
import { invocationOf } from "../journal/invocation.ts";
import { reviewRowOf } from "../reviews/review-row.ts";
import { firesOf } from "./custom-event.ts";
import { eventOf } from "./event-of.ts";
import type { ResumeTrigger } from "./resume-trigger.ts";

/**
 * A run in the memory of its one owner: its state, and the row that is not durable yet. Everything that must outlive
 * the process is committed before anything outside depends on it.
 */
export interface ActiveRun {
  readonly procedure: CompiledProcedure;
  readonly writer: JournalWriter;
  /** Immutable: each entry replaces it. */
  state: RunState;
  /** The next row: everything that is in the state and not durable yet. Immutable: each entry replaces it. */
  pendingRow: RowContent;
  /** Set until the first row is committed. */
  start: RunStart | undefined;
  /** Set until the row that resumes the run from memory is committed. Storage accepts both only together. */
  resumeTrigger: ResumeTrigger | undefined;
  /** Notifications that were read and are not folded into the state yet. */
  inbox: readonly Notification[];
  /** Whether storage may hold notifications that are not in `inbox`. */
  inboxStale: boolean;
  /** When storage ended the run's wait; `undefined` after the first entry since the claim. */
  dueAtMs: number | undefined;
  /** Estimated bytes of memory for the rows of its journal. */
  journalMemory: number;
}

/** The start of a run that storage does not have yet. */
export interface RunStart {
  readonly creation: RunCreation;
  /** The first row is not sent once the starter's key is revoked. */
  readonly starter: Pick<Principal, "isRevoked">;
}

/** A state to which the run can return, because nothing that followed is durable. */
export type Checkpoint = Pick<ActiveRun, "state" | "pendingRow">;

const emptyRow: RowContent = {
  entries: [],
  consumed: [],
  events: [],
  openReview: undefined,
  closeReview: undefined,
  invocation: undefined,
  settle: undefined,
};

export function createActiveRun(
  procedure: CompiledProcedure,
  writer: JournalWriter,
  state: RunState,
  inbox: readonly Notification[] = [],
): ActiveRun {
  return {
    procedure,
    writer,
    state,
    pendingRow: emptyRow,
    start: undefined,
    resumeTrigger: undefined,
    inbox,
    inboxStale: false,
    dueAtMs: undefined,
    journalMemory: 0,
  };
}

/** Creates a run that is not stored yet; its next row is its first. */
export function createNewRun(
  procedure: CompiledProcedure,
  writer: JournalWriter,
  started: Started,
  start: RunStart,
): ActiveRun {
  const run = createActiveRun(procedure, writer, initialState(procedure, started));
  run.pendingRow = { ...emptyRow, entries: [started] };
  run.start = start;
  return run;
}

export function runIdOf(run: ActiveRun): string {
  return run.writer.head.runId;
}

/** Folds an entry into the state and adds it to the next row. */
export function append(run: ActiveRun, entry: Entry): void {
  const { procedure, state: before, pendingRow: row } = run;
  const state = fold(procedure, before, entry);
  const event = publishedBy(run.writer, state, entry, row.events.length);
  const settlement = settledBy(procedure, before, entry);
  run.state = state;
  run.dueAtMs = undefined;
  run.pendingRow = {
    entries: [...row.entries, entry],
    consumed: row.consumed,
    events: event === undefined ? row.events : [...row.events, event],
    openReview: entry.type === "review_opened" ? reviewRowOf(entry) : row.openReview,
    closeReview: closedBy(before, entry) ?? row.closeReview,
    invocation: isDispatch(entry) ? invocationOf(state.facts, entry) : row.invocation,
    settle: settlement === undefined ? row.settle : [...(row.settle ?? []), settlement],
  };
}

/** Folds the entries of a notification, which the next row consumes. */
export function appendNotification(run: ActiveRun, effectKey: string, entries: readonly Entry[]): void {
  for (const entry of entries) append(run, entry);
  run.pendingRow = { ...run.pendingRow, consumed: [...run.pendingRow.consumed, effectKey] };
}

/** Adds the outcome of a reservation to the next row. */
export function settle(run: ActiveRun, settlement: BudgetSettlement): void {
  run.pendingRow = { ...run.pendingRow, settle: [...(run.pendingRow.settle ?? []), settlement] };
}

/** Whether the run has entries that are not durable. */
export function hasPendingEntries({ pendingRow }: ActiveRun): boolean {
  return pendingRow.entries.length > 0;
}

/** Whether a caller waits for the next row, which starts the run or follows from its resume trigger. */
export function isRowAwaited({ start, resumeTrigger }: ActiveRun): boolean {
  return start !== undefined || resumeTrigger !== undefined;
}

export function checkpointOf({ state, pendingRow }: ActiveRun): Checkpoint {
  return { state, pendingRow };
}

/** Returns to a checkpoint. The notifications that were folded since then are read again. */
export function rollBack(run: ActiveRun, { state, pendingRow }: Checkpoint): void {
  run.state = state;
  run.pendingRow = pendingRow;
  run.inboxStale = true;
}

/** The run's next row, made of everything that is pending. */
export function nextRow({ writer, pendingRow, start }: ActiveRun, then: RunPlace): RunCommit {
  return writer.row(pendingRow, then, start?.creation);
}

/** Marks the row as durable. Nothing is pending afterwards. */
export function rowCommitted(run: ActiveRun, row: RunCommit): void {
  run.writer.advance(row);
  run.journalMemory += rowMemory(row.body);
  run.pendingRow = emptyRow;
  run.start = undefined;
  run.resumeTrigger = undefined;
}

/** The event that an entry publishes, for webhooks and for triggers. */
function publishedBy(
  { head: { scope, seq } }: JournalWriter,
  state: RunState,
  entry: Entry,
  index: number,
): NewEvent | undefined {
  const event = eventOf(state, entry, seq + 1, index);
  return event !== undefined && entry.type === "emitted" ? { ...event, fires: firesOf(scope, state, entry) } : event;
}

function closedBy({ cursor }: RunState, entry: Entry): RunCommit["closeReview"] {
  if (entry.type === "ended") return cursor.at === "review" ? { status: "cancelled" } : undefined;
  if (entry.type !== "review_closed") return undefined;
  const { status } = entry.answer;
  return status === "settled" || status === "cancelled" ? { status } : undefined;
}

function isDispatch(entry: Entry): entry is Extract<Entry, { type: "intent" }> {
  return entry.type === "intent" && entry.frozen.dispatched === true;
}
