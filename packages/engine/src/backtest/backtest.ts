/*
 * Replays past runs with another version, without any effect.
 *
 *   backtest.ts            selects the runs; tally.ts: the report over all of them
 *   backtest-run.ts        one run: its record, and its replay with the other version
 *   replay-run.ts          the engine's own steps, answered from the record by answer-call.ts, answer-model.ts and
 *                          answer-review.ts (recorded-answer.ts: an answer)
 *   recorded-run.ts        the record, by path; entry-path.ts: the path of an entry
 *   recorded-actions.ts    the known facts about actions, without a function that could call them
 *   backtest-budgets.ts    sums and budgets, in memory; recorded-budgets.ts: as the record has them
 *   take-turn.ts           a model's turn and the budgets of its day
 *   live-model.ts          asks the real models, on request: the only way to anything outside
 *   decisions.ts           the decisions of a run; compare-decisions.ts: their differences
 *   unchanged-nodes.ts     the nodes that both versions have in common
 *   comparable-prompt.ts   prompts without the parts that differ in every run
 */
import { ProcedoError, type Environment, type JsonObject, type ProcedureDocument } from "@procedo/contract";
import { loadProcedure, type CompiledProcedure } from "@procedo/procedure";
import type { RunQuery, RunRow, Scope, Storage } from "@procedo/storage";
import { missingModel, purposeOf } from "../agent/agent-step.ts";
import { modelFor, type AgentModels } from "../models/models.ts";
import type { ActionMetadata } from "../connections/action-metadata.ts";
import { namedCalls } from "../procedures/named-calls.ts";
import { createBacktestBudgets } from "./backtest-budgets.ts";
import { backtestRun, type Trial, type TrialPorts } from "./backtest-run.ts";
import type { KnownActions } from "./recorded-actions.ts";
import { createUnchangedSince } from "./unchanged-nodes.ts";
import { Tally, type BacktestedRun, type BacktestReport, type SkippedRun } from "./tally.ts";

/** Which version to try on which past runs. */
export interface BacktestRequest {
  readonly procedureId: string;
  readonly environment: Environment;
  /** The version that is tried. @defaultValue the `document` */
  readonly version?: string;
  /** A document that need not be published. @defaultValue that of the `version` */
  readonly document?: ProcedureDocument | JsonObject;
  /** Which runs; they are tried in the order in which they were started. @defaultValue the last 1000 that have ended */
  readonly runs?: BacktestRuns;
  /**
   * `recorded`: agents reply as they did. `fresh`: the engine's models are asked anew, which costs what it costs; the calls
   * that come of it are answered from the record all the same. @defaultValue "recorded"
   */
  readonly models?: "recorded" | "fresh";
  /**
   * Whether a recorded result holds only for the very arguments, a reply for the very prompt, a decision for what was shown.
   * Otherwise it is taken, and the difference told. @defaultValue false
   */
  readonly strict?: boolean;
  /** Whether a review that was never asked is taken for approved; otherwise the record ends there. @defaultValue false */
  readonly assumeApproved?: boolean;
  /** How many of the runs that changed are kept for the report, 0 to 10000. @defaultValue 100 */
  readonly keep?: number;
  /** Is given each run, in order; the next ones wait for it. @defaultValue nobody is */
  readonly eachRun?: (run: BacktestedRun) => void | Promise<void>;
  /** Ends it between two runs. @defaultValue it goes through */
  readonly signal?: AbortSignal;
}

/** The past runs of a backtest, by status, time and version. */
export interface BacktestRuns extends Pick<RunQuery, "status" | "fromMs" | "toMs"> {
  /** Only those of this version. @defaultValue of any */
  readonly version?: string;
  /** The newest of them, 1 to 100000. @defaultValue 1000 */
  readonly limit?: number;
}

export interface BacktestPorts extends TrialPorts {
  readonly storage: TrialPorts["storage"] & { readonly runs: Pick<Storage["runs"], "list"> };
  readonly workspace: string;
  /** What actions of today say of themselves. */
  readonly actionMetadata: (
    environment: Environment,
    connection: string,
    action: string,
  ) => Promise<ActionMetadata | undefined>;
}

/**
 * Puts past runs through another version. Their tool results, the decisions of people and, unless fresh ones are wanted, the
 * replies of models are those of their records; nothing is called, written or sent. Sums and budgets of a day count the runs
 * that are tried, unless limit and amount are those of the record.
 *
 * @throws ProcedoError `version_not_found`, `invalid_document`, `invalid_input`; `invalid_configuration` when fresh replies are
 *   wanted and a model is missing
 */
export type Backtest = (request: BacktestRequest) => Promise<BacktestReport>;

const pageSize = 100;
/** Runs whose models are asked at the same time. */
const askedAtOnce = 8;

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
    // The oldest first: what a sum of a day has room for depends on who came before.
    for (const row of rows.reverse()) {
      if (signal?.aborted === true) break;
      under.push(backtestRun(ports, trial, row));
      if (models === "recorded" || under.length >= askedAtOnce) await settle();
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
    throw new ProcedoError("invalid_input", "Give the version that is to be tried, or a document.");
  }
  const procedure = loadProcedure(document);
  if (procedure.document.procedureId !== procedureId) {
    const message = `The document is of procedure "${procedure.document.procedureId}", and the runs are of "${procedureId}".`;
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
    // What cannot be read now is not known: the record says enough of what it called.
    const facts = await actionMetadata(environment, connection, action).catch(() => undefined);
    known.set(JSON.stringify([connection, action]), facts);
  }
  return (connection, action) => known.get(JSON.stringify([connection, action]));
}

/** The newest first. */
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
    ...(status !== undefined && { status }),
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
