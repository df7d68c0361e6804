/*
 * Backtest of recorded runs on SQLite: checks that the same version makes the same decisions, that a changed one is
 * detected, and that nothing is called, and measures the runs per second.
 *
 *   node --conditions=@procedo/source benchmarks/backtest/run.ts [--runs N] [--rounds N]
 *
 * payments.ts   the procedure, its ledger and its agent
 */
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createEngine, type BacktestReport, type Engine } from "@procedo/engine";
import { SqliteStorage } from "@procedo/storage-sqlite";
import { bookkeeper, countingLedger, payments, stricter } from "./payments.ts";

const { values } = parseArgs({
  options: { runs: { type: "string", default: "1000" }, rounds: { type: "string", default: "3" } },
});
const runs = Number(values.runs);
const rounds = Number(values.rounds);
const environment = "sandbox";
const by = { person: "benchmark" };
const masterKey = new Uint8Array(32);

mkdirSync(".procedo", { recursive: true });
const folder = mkdtempSync(join(".procedo", "backtest-"));
try {
  const path = join(folder, "procedo.sqlite");
  const recorded = await record(path);
  console.log(`${runs} runs were recorded: ${recorded.calls} calls of actions, ${recorded.asked} requests to a model.`);
  const storage = await SqliteStorage.open({ path });
  const ledger = countingLedger();
  const model = bookkeeper();
  const models = { arguments: { model } };
  const engine = createEngine({ storage, integrations: [ledger.integration], masterKey, models });
  for (const [what, document] of [
    ["the same version", payments],
    ["a changed one", stricter],
  ] as const) {
    const perSecond: number[] = [];
    let report: BacktestReport | undefined;
    for (let round = 0; round < rounds; round++) {
      const startedMs = performance.now();
      report = await engine.backtest({
        procedureId: payments.procedureId,
        environment,
        document,
        runs: { limit: runs },
      });
      perSecond.push((report.runs / (performance.now() - startedMs)) * 1_000);
    }
    if (report !== undefined) print(what, report, perSecond);
  }
  console.log(`In all backtests ${ledger.calls()} actions were called, and ${model.requests.length} models asked.`);
  await engine.stop();
  await storage.close();
  if (ledger.calls() + model.requests.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function print(what: string, report: BacktestReport, perSecond: readonly number[]): void {
  const { same, changed, diverged, decisions, summary } = report;
  const median = [...perSecond].sort((a, b) => a - b)[Math.floor(perSecond.length / 2)] ?? 0;
  console.log(
    `${what}: ${Math.round(median)} runs a second, ${decisions} decisions; ` +
      `${same} the same, ${changed} changed, ${diverged} diverged from the record.`,
  );
  for (const { what: change, runs: count } of summary) console.log(`  ${String(count).padStart(5)}  ${change}`);
  if (what === "the same version" && same !== report.runs) process.exitCode = 1;
}

/** Executes the runs, with amounts from 1 to 10000. */
async function record(path: string): Promise<{ readonly calls: number; readonly asked: number }> {
  const storage = await SqliteStorage.open({ path });
  const ledger = countingLedger();
  const model = bookkeeper();
  const models = { arguments: { model } };
  const engine = createEngine({ storage, integrations: [ledger.integration], masterKey, models });
  await engine.procedures.publish({ document: payments, version: "1", by });
  await engine.start();
  const atOnce = 50;
  for (let from = 0; from < runs; from += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, runs - from) }, (_, index) => from + index);
    await Promise.all(some.map((number) => executeOne(engine, number)));
  }
  await engine.stop();
  await storage.close();
  return { calls: ledger.calls(), asked: model.requests.length };
}

async function executeOne(engine: Engine, number: number): Promise<void> {
  const data = { vendorId: `ven_${number % 7}`, amount: ((number * 37) % 10_000) + 1 };
  const { procedureId } = payments;
  const outcome = await engine.runs.execute({ procedureId, environment, data, by });
  if (outcome.status !== "awaiting_review") return;
  const { runId } = outcome;
  const approved = number % 5 !== 0;
  const decision = approved ? { approved } : { approved, rejectionReason: "Not now." };
  await engine.reviews.decide({ environment, runId, ...decision, idempotencyKey: randomUUID(), by });
  await engine.runs.wait({ environment, runId });
}
