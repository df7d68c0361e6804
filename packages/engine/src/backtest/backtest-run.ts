import { ProcedoError, type JsonValue } from "@procedo/contract";
import { withDefaults, type CompiledProcedure, type RunLimits, type RunResult } from "@procedo/procedure";
import type { RunRow, Scope, Storage } from "@procedo/storage";
import type { AgentModels } from "../models/models.ts";
import { readEntries } from "../journal/run-record.ts";
import { errorText } from "../ports/log.ts";
import type { Versions } from "../procedures/versions.ts";
import { createLiveModel, recordedModels, type LiveModelPorts } from "./live-model.ts";
import type { BacktestBudgets } from "./backtest-budgets.ts";
import { compareDecisions } from "./compare-decisions.ts";
import { decisionsIn } from "./decisions.ts";
import { recordedConnections, type KnownActions } from "./recorded-actions.ts";
import { RecordedRun } from "./recorded-run.ts";
import type { UnchangedSince } from "./unchanged-nodes.ts";
import { replayRun, type ReplayedRun } from "./replay-run.ts";
import type { BacktestedEnd, BacktestedRun, SkippedRun } from "./tally.ts";

/** The ports of a backtest, which reads runs and writes nothing. */
export interface TrialPorts {
  readonly storage: {
    readonly runs: Pick<Storage["runs"], "journal">;
    readonly retention: Pick<Storage["retention"], "stub">;
  };
  readonly versions: Pick<Versions, "load">;
  readonly limits: RunLimits;
  readonly models: AgentModels;
  /** For fresh replies: the clock for timeouts, and the random delays between attempts. */
  readonly asking: LiveModelPorts;
}

/** A version under test, and the settings of the backtest. */
export interface Trial {
  readonly scope: Scope;
  readonly procedure: CompiledProcedure;
  readonly version: string;
  readonly known: KnownActions;
  /** The nodes that are unchanged since a version. */
  readonly unchangedSince: UnchangedSince;
  readonly budgets: BacktestBudgets;
  readonly models: "recorded" | "fresh";
  readonly strict: boolean;
  readonly assumeApproved: boolean;
}

/** Replays one run with the version. */
export async function backtestRun(ports: TrialPorts, trial: Trial, row: RunRow): Promise<BacktestedRun | SkippedRun> {
  const { runId } = row;
  const { scope } = trial;
  const rows = await ports.storage.runs.journal({ scope, runId });
  if (rows.length === 0) {
    const stub = await ports.storage.retention.stub({ scope, runId });
    return { skipped: stub === undefined ? "broken" : "archived" };
  }
  let record: RecordedRun;
  try {
    record = new RecordedRun(readEntries(runId, rows).map(({ entry }) => entry));
  } catch {
    return { skipped: "broken" };
  }
  const before = decisionsIn(record.entries);
  const { procedureVersion, createdAtMs } = row;
  const was: BacktestedEnd = { path: before.path, ...endOf(before.result, row.status) };
  const about = { runId, procedureVersion, createdAtMs, before: was };
  const input = inputUnder(trial, row, record);
  const refused = trial.procedure.input.validate(input);
  if (refused.length > 0) {
    const summary = "the run would not have started: its data does not fit the input";
    const message = `${summary}: ${refused.map(({ path, message: what }) => `${path || "/"} ${what}`).join("; ")}`;
    const differences = [{ kind: "input", nodeId: undefined, message, summary } as const];
    return {
      ...about,
      verdict: "changed",
      differences,
      after: { path: [], status: undefined },
      decisions: 0,
      reused: 0,
    };
  }

  let replayed: ReplayedRun;
  try {
    replayed = await replay(ports, trial, row, record, input);
  } catch (error) {
    // A run that cannot be replayed does not stop the backtest; unavailable storage does.
    if (ProcedoError.isError(error) && error.retryable) throw error;
    const summary = "the run cannot be replayed";
    const differences = [
      { kind: "record", nodeId: undefined, message: `${summary}: ${errorText(error)}`, summary } as const,
    ];
    return {
      ...about,
      verdict: "diverged",
      differences,
      after: { path: [], status: undefined },
      decisions: 0,
      reused: 0,
    };
  }
  const after = decisionsIn(replayed.entries);
  const differences = compareDecisions(before, after, replayed);
  const hasDiverged = replayed.diverged !== undefined;
  return {
    ...about,
    verdict: hasDiverged ? "diverged" : differences.length > 0 ? "changed" : "same",
    differences,
    after: { path: after.path, ...(hasDiverged ? { status: undefined } : endOf(after.result, statusOf(replayed))) },
    decisions: after.count,
    reused: replayed.reused.length,
  };
}

/** The run's input with the defaults of the version added, unless the run was recorded with that version. */
function inputUnder({ version, procedure }: Trial, { procedureVersion }: RunRow, { started }: RecordedRun): JsonValue {
  if (procedureVersion === version) return started.input;
  const completed = withDefaults(started.input, procedure.input.schema);
  return completed.ok ? completed.value : started.input;
}

async function replay(
  { limits, models, asking, versions }: TrialPorts,
  trial: Trial,
  { procedureId, procedureVersion }: RunRow,
  record: RecordedRun,
  input: JsonValue,
): Promise<ReplayedRun> {
  const { document } = trial.procedure;
  const { document: recordedBy } = await versions.load(procedureId, procedureVersion);
  const isFresh = trial.models === "fresh";
  const budgets = trial.budgets.forRun(record, { before: recordedBy, after: document });
  let ids = 0;
  const ports = {
    limits,
    resolveConnection: recordedConnections(document, record, trial.known),
    storage: { budgets: budgets.store },
    models: isFresh ? models : recordedModels(models, procedureId),
    ids: (prefix: string) => {
      ids += 1;
      return `${prefix}_${ids}`;
    },
    sendWindowMs: 0,
  };
  const { scope, procedure, version, strict, assumeApproved } = trial;
  return await replayRun(record, {
    ...{ procedure, version, input, scope, limits, budgets, ports, strict, assumeApproved },
    unchanged: trial.unchangedSince(procedureVersion, recordedBy),
    askLiveModel: isFresh ? createLiveModel(asking, ports, budgets.settle) : undefined,
  });
}

function statusOf({ status }: ReplayedRun): RunRow["status"] {
  return status === "awaiting_review" ? "awaiting_review" : "running";
}

function endOf(result: RunResult | undefined, open: RunRow["status"]): Omit<BacktestedEnd, "path"> {
  if (result === undefined) return { status: open };
  return result.status === "completed"
    ? { status: "completed", output: result.output }
    : { status: "failed", error: result.error };
}
