/*
 * Replays past runs with another version, without any effect.
 *
 *   backtest.ts            selects the runs; tally.ts: the report over all of them
 *   backtest-run.ts        one run: its record, and its replay with the other version
 *   replay-run.ts          the engine's own steps, answered from the record by answer-call.ts, answer-model.ts and
 *                          answer-review.ts (recorded-answer.ts: an answer)
 *   recorded-run.ts        the record, by path; entry-path.ts: the path of an entry
 *   recorded-actions.ts    the known metadata of actions, without a function that could call them
 *   backtest-budgets.ts    sums and budgets, in memory; recorded-budgets.ts: as the record has them
 *   take-turn.ts           a model's turn and the budgets of its day
 *   live-model.ts          asks the real models, on request: the only access to the outside
 *   decisions.ts           the decisions of a run; compare-decisions.ts: their differences
 *   unchanged-nodes.ts     the nodes that both versions have in common
 *   comparable-prompt.ts   prompts without the parts that differ in every run
 */
import { ProcedoError, type Environment, type JsonObject, type ProcedureDocument } from "@procedo/contract";
import { loadProcedure, type CompiledProcedure } from "@procedo/procedure";
import type { RunQuery, RunRow, RunStatus, Scope, Storage } from "@procedo/storage";
import { missingModel, purposeOf } from "../agent/agent-step.ts";
import { modelFor, type AgentModels } from "../models/models.ts";
import type { ActionMetadata } from "../connections/action-metadata.ts";
import { namedCalls } from "../procedures/named-calls.ts";
import { createBacktestBudgets } from "./backtest-budgets.ts";
import { backtestRun, type Trial, type TrialPorts } from "./backtest-run.ts";
import type { KnownActions } from "./recorded-actions.ts";
import { createUnchangedSince } from "./unchanged-nodes.ts";
import { Tally, type BacktestedRun, type BacktestReport, type SkippedRun } from "./tally.ts";

/** The version to try, and the past runs to replay. */
export interface BacktestRequest {
  /** The procedure whose runs are replayed. */
  readonly procedureId: string;
  /** The environment of the runs. */
  readonly environment: Environment;
  /** The version to try. @defaultValue the `document` */
  readonly version?: string;
  /** The document to try, which need not be published. @defaultValue the document of the `version` */
  readonly document?: ProcedureDocument | JsonObject;
  /** The runs to replay, in the order of their starts. @defaultValue the last 1000 runs that have ended */
  readonly runs?: BacktestRuns;
  /**
   * `recorded`: agents give their recorded replies. `fresh`: the engine's models are asked again, at their usual cost;
   * the resulting calls are still answered from the record. @defaultValue "recorded"
   */
  readonly models?: "recorded" | "fresh";
  /**
   * Whether a recorded result applies only to equal arguments, a reply only to an equal prompt, and a decision only to
   * equal review content. If false, the recorded answer is used and the difference is reported. @defaultValue false
   */
  readonly strict?: boolean;
  /** Whether a review without a record counts as approved; otherwise the record ends there. @defaultValue false */
  readonly assumeApproved?: boolean;
  /** The most changed runs that the report contains, 0 to 10000. @defaultValue 100 */
  readonly keep?: number;
  /** Called with each run, in order; the next runs wait for its promise. @defaultValue not called */
  readonly eachRun?: (run: BacktestedRun) => void | Promise<void>;
  /** Ends the backtest between two runs. @defaultValue it never ends early */
  readonly signal?: AbortSignal;
}

/** The past runs of a backtest, by status, time and version. */
export interface BacktestRuns extends Pick<RunQuery, "fromMs" | "toMs"> {
  /** Only runs of this status. @defaultValue runs that have ended */
  readonly status?: RunStatus;
  /** Only runs of this version. @defaultValue any version */
  readonly version?: string;
  /** The number of runs, newest first, 1 to 100000. @defaultValue 1000 */
  readonly limit?: number;
}

export interface BacktestPorts extends TrialPorts {
  readonly storage: TrialPorts["storage"] & { readonly runs: Pick<Storage["runs"], "list"> };
  readonly workspace: string;
  /** The present metadata of actions. */
  readonly actionMetadata: (
    environment: Environment,
    connection: string,
    action: string,
  ) => Promise<ActionMetadata | undefined>;
}

/**
 * Replays past runs with another version. Tool results, people's decisions and, unless fresh replies are requested, the
 * replies of models come from the records; nothing is called, written or sent. Sums and budgets of a day count the
 * replayed runs, unless the limit and the amount equal those of the record.
 *
 * @throws ProcedoError `version_not_found`, `invalid_document`, `invalid_input`; `invalid_configuration` if fresh
 *   replies are requested and a model is missing
 */
export type Backtest = (request: BacktestRequest) => Promise<BacktestReport>;

const pageSize = 100;
/** Runs whose models are asked at the same time. */
const concurrentModelRuns = 8;

export function createBacktest(ports: BacktestPorts): Backtest {
  return async (request) => {
    const { procedureId, environment, models = "recorded", keep = 100, eachRun, signal } = request;
    const limit = whole("runs.limit", request.runs?.limit ?? 1_000, 1, 100_000);
    const tally = new Tally(whole("keep", keep, 0, 10_000));
    const tried = await triedVersion(ports, request);
    if (models === "fresh") checkModels(ports.models, tried.procedure);
    const { strict = false, assumeApproved = false } = request;
    const scope: Scope = { workspace: ports.workspace, environment };
    const { document } = tried.procedure;
    const known = await knownActions(ports, environment, document);
    const trial: Trial = {
      ...{ ...tried, scope, known, models, strict, assumeApproved },
      budgets: createBacktestBudgets(),
      unchangedSince: createUnchangedSince(document),
    };

    let under: Promise<BacktestedRun | SkippedRun>[] = [];
    const settle = async (): Promise<void> => {
      const done = await Promise.all(under);
      under = [];
      for (const run of done) {
        tally.add(run);
        if (!("skipped" in run)) await eachRun?.(run);
      }
    };
    const rows = await rowsOf(ports, scope, request, limit);
    // The oldest first: the room in a day's sum depends on earlier runs.
    for (const row of rows.reverse()) {
      if (signal?.aborted === true) break;
      under.push(backtestRun(ports, trial, row));
      if (models === "recorded" || under.length >= concurrentModelRuns) await settle();
    }
    await settle();
    return { procedureId, version: tried.version, ...tally.report() };
  };
}

async function triedVersion(
  { versions }: BacktestPorts,
  { procedureId, version, document }: BacktestRequest,
): Promise<{ readonly procedure: CompiledProcedure; readonly version: string }> {
  if (document === undefined) {
    if (version !== undefined) return { procedure: await versions.load(procedureId, version), version };
    throw new ProcedoError("invalid_input", "Give the version to try, or a document.");
  }
  const procedure = loadProcedure(document);
  if (procedure.document.procedureId !== procedureId) {
    const message = `The document belongs to procedure "${procedure.document.procedureId}", but the runs belong to "${procedureId}".`;
    throw new ProcedoError("invalid_input", message);
  }
  return { procedure, version: version ?? "document" };
}

function checkModels(models: AgentModels, { document, nodes }: CompiledProcedure): void {
  for (const node of nodes.values()) {
    const asks = node.kind === "tool_call" ? node.agent : node.kind === "condition" ? node.question : undefined;
    if (asks === undefined || (node.kind !== "tool_call" && node.kind !== "condition")) continue;
    if (modelFor(models, document.procedureId, purposeOf(node)) !== undefined) continue;
    throw new ProcedoError("invalid_configuration", missingModel(node));
  }
}

async function knownActions(
  { actionMetadata }: BacktestPorts,
  environment: Environment,
  document: ProcedureDocument,
): Promise<KnownActions> {
  const known = new Map<string, ActionMetadata | undefined>();
  for (const { connection, action } of namedCalls(document)) {
    // Metadata that cannot be read counts as unknown: the record contains enough about its own calls.
    const facts = await actionMetadata(environment, connection, action).catch(() => undefined);
    known.set(JSON.stringify([connection, action]), facts);
  }
  return (connection, action) => known.get(JSON.stringify([connection, action]));
}

/** The selected runs, newest first. */
async function rowsOf(
  { storage }: BacktestPorts,
  scope: Scope,
  { procedureId, runs = {} }: BacktestRequest,
  limit: number,
): Promise<RunRow[]> {
  const { status, fromMs, toMs, version } = runs;
  const query = {
    scope,
    procedureId,
    limit: pageSize,
    ...(status !== undefined && { statuses: [status] }),
    ...(fromMs !== undefined && { fromMs }),
    ...(toMs !== undefined && { toMs }),
  };
  const rows: RunRow[] = [];
  let cursor: string | undefined;
  do {
    const page = await storage.runs.list({ ...query, ...(cursor !== undefined && { cursor }) });
    for (const row of page.items) {
      const isOpen = row.status === "running" || row.status === "awaiting_review";
      if ((status === undefined && isOpen) || (version !== undefined && row.procedureVersion !== version)) continue;
      rows.push(row);
      if (rows.length === limit) return rows;
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return rows;
}

function whole(name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new ProcedoError("invalid_input", `${name} is ${value}. Give a whole number from ${least} to ${most}.`);
}
