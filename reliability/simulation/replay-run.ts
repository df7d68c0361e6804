import { isDeepStrictEqual } from "node:util";
import { next, resume, type Entry, type RunLimits, type RunState, type Step } from "@procedo/procedure";
import { systemClock, type CodedIntegration } from "@procedo/engine";
import type { BudgetStore } from "@procedo/storage";
import { createJournalWriter, emptyHead } from "../../packages/engine/src/journal/journal-writer.ts";
import { createRowCodec } from "../../packages/engine/src/journal/row-codec.ts";
import { createSlices } from "../../packages/engine/src/journal/slices.ts";
import {
  append,
  createActiveRun,
  createNewRun,
  nextRow,
  rowCommitted,
  type ActiveRun,
} from "../../packages/engine/src/runs/active-run.ts";
import { reserveFor } from "../../packages/engine/src/calls/propose-call.ts";
import { loadRun } from "../../packages/engine/src/runs/load-run.ts";
import {
  findActionOf,
  prepareConnectedStep,
  performInnerStep,
  type StepPorts,
} from "../../packages/engine/src/runs/perform-step.ts";
import { nothingToRedact } from "../../packages/engine/src/secrets/redact.ts";
import type { KeptRow, KeptRun } from "./history.ts";
import { canary } from "./ledger.ts";

export interface ReplaySettings {
  readonly chainKey: Uint8Array;
  readonly limits: RunLimits;
  readonly sendWindowMs: number;
  readonly integration: CodedIntegration;
}

export interface Replayed {
  readonly decisions: number;
  readonly rows: number;
  readonly differences: readonly string[];
}

/**
 * Executes a recorded run again, with the outside replayed from its journal: the answers of calls, the decisions of
 * people, the clock. All decisions of the engine must be identical, and so must the rows and their hashes.
 */
export async function replayRun(recorded: KeptRun, settings: ReplaySettings): Promise<Replayed> {
  const { procedure, runId, scope, rows } = recorded;
  const reading = createRowCodec(runId);
  const slices = createSlices(systemClock);
  let decisions = 0;
  let run: ActiveRun | undefined;

  for (const [at, row] of rows.entries()) {
    const entries = reading.decode(row.seq, row.body);
    const before = rows[at - 1];
    let played: PlayedRow;
    if (before === undefined || keptInMemory(before, row)) {
      played = await playRow(run, recorded, row, entries, settings);
    } else {
      const claim = { scope, runId, epoch: row.epoch, journal: rows.slice(0, at) };
      const { state, writer } = await loadRun({ ...settings, slices }, procedure, claim);
      played = await playRow(createActiveRun(procedure, writer, state), recorded, row, entries, settings);
      // Or its author kept the run in memory while it waited, and writes shorter entries for that reason.
      if (played.difference !== undefined) played = await playRow(run, recorded, row, entries, settings);
    }
    decisions += played.decisions;
    run = played.run;
    if (played.difference !== undefined)
      return { decisions, rows: at, differences: [`Run ${runId}${played.difference}`] };
  }
  return { decisions, rows: rows.length, differences: [] };
}

interface PlayedRow {
  readonly run: ActiveRun | undefined;
  readonly decisions: number;
  readonly difference?: string;
}

/** Repeats the decisions of the row, with the run as its author knew it. */
async function playRow(
  author: ActiveRun | undefined,
  { procedure, runId, scope }: KeptRun,
  row: KeptRow,
  entries: readonly Entry[],
  settings: ReplaySettings,
): Promise<PlayedRow> {
  let run = author;
  let decisions = 0;
  for (const entry of entries) {
    if (entry.type === "started") {
      const writer = createJournalWriter(settings.chainKey, createRowCodec(runId), emptyHead(scope, runId));
      if (row.commit.create === undefined) return { run, decisions, difference: " is not created by its first row." };
      run = createNewRun(procedure, writer, entry, { creation: row.commit.create, starter: {} });
      continue;
    }
    if (run === undefined) return { run, decisions, difference: " does not begin with its start." };
    let written = asWritten(entry);
    if (!comesFromOutside(entry)) {
      decisions += 1;
      const step = stepAt(run, entry.atMs, settings.limits);
      const { decided, difference } = await decideAgain(run, step, entry, settings);
      written = decided ?? written;
      if (difference !== undefined) return { run, decisions, difference: `, row ${row.seq}: ${difference}` };
    }
    append(run, written);
  }
  if (run === undefined) return { run, decisions, difference: " has an empty first row." };
  const again = nextRow(run, row.commit.then);
  if (again.hash !== row.hash) {
    return {
      run,
      decisions,
      difference: `: row ${row.seq} becomes a different row: ${again.body} instead of ${row.body}`,
    };
  }
  rowCommitted(run, row.commit);
  return { run, decisions };
}

/** Whether the row has the same author as the row before, and the author did not release the run in between. */
function keptInMemory(before: KeptRow, row: KeptRow): boolean {
  return before.epoch === row.epoch && before.commit.then.kind === "hot";
}

function comesFromOutside(entry: Entry): boolean {
  switch (entry.type) {
    case "recovered":
    case "review_closed":
    case "cancel_requested":
    case "superseded":
      return true;
    case "outcome":
      return entry.late === true;
    default:
      return false;
  }
}

function stepAt(run: ActiveRun, atMs: number, limits: RunLimits): Step {
  const step = next(run.procedure, run.state, limits);
  const isOver = step.do === "wait" && step.review === undefined && step.untilMs !== undefined && step.untilMs <= atMs;
  return isOver ? resume(run.procedure, run.state, limits) : step;
}

interface Again {
  /** The engine's new decision; absent where the outside decides. */
  readonly decided?: Entry;
  readonly difference?: string;
}

async function decideAgain(run: ActiveRun, step: Step, entry: Entry, settings: ReplaySettings): Promise<Again> {
  const { state } = run;
  switch (step.do) {
    case "wait":
    case "done":
      return { difference: `no work was due (${step.do}), the record says "${entry.type}"` };
    case "call":
    case "await":
    case "reconsider": {
      const { nodeId, attempt, call, visit } = step.intent;
      const same =
        entry.type === "outcome" &&
        isDeepStrictEqual([entry.nodeId, entry.visit, entry.call, entry.attempt], [nodeId, visit, call, attempt]);
      return same ? {} : { difference: `attempt ${attempt} of ${nodeId} was due, the record says "${entry.type}"` };
    }
    case "ask_model":
      return entry.type === "replied" ? {} : { difference: `a model request was due, the record says "${entry.type}"` };
    case "prompt":
    case "judge":
    case "propose":
    case "intend":
    case "ask":
    case "ask_outcome": {
      const ports = portsAt(state, entry, settings);
      const found = await findActionOf(ports, state, step);
      return judged(await reserveFor(ports, prepareConnectedStep(ports, run, step, found)), entry);
    }
    default:
      return judged(performInnerStep(portsAt(state, entry, settings), state, step), entry);
  }
}

function judged(decided: Entry, entry: Entry): Again {
  return isDeepStrictEqual(plain(decided), plain(entry))
    ? { decided }
    : { decided, difference: `decided ${JSON.stringify(decided)}, the record says ${JSON.stringify(entry)}` };
}

/** An outcome with its members in the order in which the engine wrote them; reading a row may change it. */
function asWritten(entry: Entry): Entry {
  if (entry.type !== "outcome") return entry;
  const { type, atMs, nodeId, visit, call, attempt, result, ...rest } = entry;
  return { type, atMs, nodeId, visit, call, attempt, result, ...rest };
}

/** The state of the outside when the entry was written. */
function portsAt(state: RunState, entry: Entry, { limits, sendWindowMs, integration }: ReplaySettings): StepPorts {
  return {
    limits,
    sendWindowMs,
    resolveConnection: async (_environment, name) => ({
      name,
      connectionId: connectionIdOf(state, entry),
      actions: integration.actions,
      settings: {},
      secrets: { token: canary },
      redactor: nothingToRedact,
    }),
    clock: {
      now: () => entry.atMs,
      monotonic: () => 0,
      after: () => () => {},
      soon: () => {},
    },
    ids: () => (entry.type === "review_opened" ? entry.review.reviewId : ""),
    storage: { budgets: budgetsOf(entry) },
    models: {},
  };
}

/** Budgets that had room for the recorded reservation. */
function budgetsOf(entry: Entry): BudgetStore {
  const unknown = (): never => {
    throw new Error("The record does not contain the reserved amounts of the budgets.");
  };
  return {
    reserve: async () => (entry.type === "intent" ? { status: "reserved", amounts: entry.reserved ?? [] } : unknown()),
    taken: async () => unknown(),
  };
}

/** The connection that the call's name meant when the entry was written. */
function connectionIdOf({ cursor, approved }: RunState, entry: Entry): string {
  if (entry.type === "intent") return entry.frozen.connectionId;
  if (entry.type === "review_opened" && entry.review.call !== undefined) return entry.review.call.connectionId;
  if (cursor.at === "unknown") return cursor.intent.frozen.connectionId;
  if (entry.type === "node_failed" && entry.error.message.includes("was replaced")) return "another";
  if (cursor.at === "ready" || cursor.at === "backoff") return cursor.call.frozen.connectionId;
  return cursor.at === "node" ? (approved[cursor.nodeId]?.frozen.connectionId ?? "") : "";
}

/** The value as JSON represents it: a member that is `undefined` is absent. */
function plain(entry: Entry): unknown {
  return JSON.parse(JSON.stringify(entry));
}
