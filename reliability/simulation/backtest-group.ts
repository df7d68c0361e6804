import { seededRandom } from "@procedo-testing/faults";
import { defaultRunLimits } from "@procedo/procedure";
import type { RunRow } from "@procedo/storage";
import { systemClock } from "@procedo/engine";
import { createBacktestBudgets } from "../../packages/engine/src/backtest/backtest-budgets.ts";
import { backtestRun, type TrialPorts } from "../../packages/engine/src/backtest/backtest-run.ts";
import type { BacktestedRun } from "../../packages/engine/src/backtest/tally.ts";
import { createUnchangedSince } from "../../packages/engine/src/backtest/unchanged-nodes.ts";
import { readEntries } from "../../packages/engine/src/journal/run-record.ts";
import { forTier, type ProofGroup } from "../proof-group.ts";
import type { KeptRun } from "./history.ts";
import { optionsOf } from "./options.ts";
import { simulate } from "./simulate.ts";

const mostFailures = 20;

/** sim-backtest: a run's record contains everything that its version needs to make the same decisions again. */
export const backtestGroup: ProofGroup = {
  id: "sim-backtest",
  title:
    "Backtest: runs of random procedures under every fault, replayed with their own version, make the same decisions",
  run: async ({ tier, seed, seeds, report }) => {
    const wanted = seeds ?? forTier(tier, { commit: 200, nightly: 5_000, release: 50_000 });
    const counts = { runs: 0, decisions: 0 };
    const failures: string[] = [];
    for (let at = seed; counts.runs < wanted && failures.length < mostFailures; at++) {
      const options = optionsOf(at);
      const { history } = await simulate(options);
      const limits = { ...defaultRunLimits, ...options.limits };
      for (const run of [...history.runs.values()].slice(0, wanted - counts.runs)) {
        const tried = await tryOnOwnVersion(run, limits);
        counts.runs += 1;
        counts.decisions += tried.decisions;
        if (tried.verdict === "same") continue;
        const told = tried.differences.map(({ message }) => message).join("; ");
        failures.push(`Seed ${at}: run ${run.runId} is ${tried.verdict}: ${told}`);
      }
    }
    report(`sim-backtest: ${counts.runs} runs, ${failures.length} failures`);
    return { counts, failures };
  },
};

async function tryOnOwnVersion(run: KeptRun, limits: TrialPorts["limits"]): Promise<BacktestedRun> {
  const { scope, runId, procedure, rows } = run;
  const ports: TrialPorts = {
    storage: { runs: { journal: async () => rows }, retention: { stub: async () => undefined } },
    versions: { load: async () => procedure },
    limits,
    models: {},
    asking: { clock: systemClock, random: seededRandom(1), unforced: new WeakSet() },
  };
  const row = rowOf(run);
  const budgets = createBacktestBudgets();
  const about = { scope, procedure, version: row.procedureVersion, known: () => undefined, budgets };
  const unchangedSince = createUnchangedSince(procedure.document);
  const tried = await backtestRun(
    ports,
    { ...about, unchangedSince, models: "recorded", strict: true, assumeApproved: false },
    row,
  );
  if ("skipped" in tried) throw new Error(`Run ${runId} cannot be read: ${tried.skipped}.`);
  return tried;
}

function rowOf({ scope, runId, rows }: KeptRun): RunRow {
  const entries = readEntries(runId, rows).map(({ entry }) => entry);
  const [started] = entries;
  if (started?.type !== "started") throw new Error(`Run ${runId} does not begin with its start.`);
  const { procedureId, procedureVersion, startedBy } = started.facts;
  const { reference } = started;
  const trigger = started.trigger && JSON.stringify(started.trigger);
  const last = rows.at(-1)?.commit.then;
  const status = last === undefined || last.kind === "hot" ? "running" : last.status;
  const about = {
    scope,
    runId,
    procedureId,
    procedureVersion,
    startedBy,
    reference,
    trigger,
    createdAtMs: started.atMs,
  };
  return { ...about, status, endedAtMs: undefined, error: undefined };
}
