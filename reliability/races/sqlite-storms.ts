import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { manualClock, type ManualClock, seededRandom, type SeededRandom } from "@procedo-testing/faults";
import { ProcedoError, type DecideRequest, type Engine } from "@procedo/engine";
import { SqliteStorage } from "@procedo/storage-sqlite";
import { forTier, type ProofGroup } from "../proof-group.ts";
import { approveAndPay, builder, procedureId, simpleEngine, type Payments } from "./simple-engine.ts";

/** Three engines, each with its own connection to one SQLite file, like three processes on one machine. */
interface Storm {
  readonly engines: readonly Engine[];
  readonly clock: ManualClock;
  readonly payments: Payments;
  readonly random: SeededRandom;
}

const environment = "live" as const;
const engineCount = 3;
const starts = 50;
const decisions = 100;
const people = 10;
const repeats = 20;

/** One minute in total, by the engines' clock. */
const maxTurns = 600;
const turnMs = 100;

/** decision-storms: many concurrent requests on one SQLite file have one result. */
export const sqliteStorms: ProofGroup = {
  id: "decision-storms",
  title: "Storms of decisions and of starts with one key, over three engines on one SQLite file",
  run: async ({ tier, seed, seeds, report }) => {
    const rounds = seeds ?? forTier(tier, { commit: 20, nightly: 500, release: 500 });
    const failures: string[] = [];
    for (let round = 0; round < rounds; round++) {
      const broken = (what: string): void => void failures.push(`round ${round} of seed ${seed + round}: ${what}`);
      await withStorm(seed + round, async (storm) => {
        const runId = await startStorm(storm, broken);
        if (runId !== undefined) await decisionStorm(storm, runId, broken);
      });
    }
    report(`decision-storms: ${rounds} rounds on SQLite`);
    return { counts: { rounds, starts: rounds * starts, decisions: rounds * decisions }, failures };
  },
};

async function withStorm(seed: number, play: (storm: Storm) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "procedo-storm-"));
  const clock = manualClock();
  const payments: Payments = new Map();
  const storages: SqliteStorage[] = [];
  const engines: Engine[] = [];
  try {
    for (let number = 0; number < engineCount; number++) {
      const storage = await SqliteStorage.open({ path: join(folder, "procedo.sqlite"), now: clock.now, pollMs: 1 });
      storages.push(storage);
      engines.push(simpleEngine(storage, clock, seed * engineCount + number, payments));
    }
    const document = approveAndPay(1, "P7D");
    await engines[0]?.procedures.publish({ document, version: "v1", defaultIn: [environment], by: builder });
    await Promise.all(engines.map((engine) => engine.start()));
    await play({ engines, clock, payments, random: seededRandom(seed, "storm") });
  } finally {
    await Promise.all(engines.map((engine) => engine.stop({ drainMs: 0 })));
    await Promise.all(storages.map((storage) => storage.close()));
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Concurrent starts with one key and one body create one run, and every caller receives it. Another body is refused.
 */
async function startStorm({ engines, random }: Storm, broken: (what: string) => void): Promise<string | undefined> {
  const by = { person: "alice" };
  const request = { procedureId, environment, data: { amount: 5 }, by, idempotencyKey: "order-17" };
  const answers = await Promise.all(Array.from({ length: starts }, () => random.pick(engines).runs.start(request)));
  const runIds = new Set(answers.map(({ runId }) => runId));
  const [runId] = runIds;
  if (runIds.size !== 1) broken(`${runIds.size} runs were started with one key`);
  const created = answers.filter(({ existing }) => !existing).length;
  if (created !== 1) broken(`${created} starts reported that they created the run`);
  const others = engines.map((engine) => engine.runs.start({ ...request, data: { amount: 6 } }));
  for (const other of await Promise.allSettled(others)) {
    const code = other.status === "fulfilled" ? "with a run" : codeFrom(other.reason);
    if (code !== "idempotency_conflict") broken(`the same key with another body was answered ${code}`);
  }
  return runId;
}

/**
 * Ten people decide 100 times, half of them to approve and half to reject: one decision counts, and all others are told
 * so.
 */
async function decisionStorm(storm: Storm, runId: string, broken: (what: string) => void): Promise<void> {
  const { engines, payments, random } = storm;
  await untilStatus(storm, runId, ["awaiting_review"]);
  const asked = Array.from({ length: decisions }, (_, index) => ({
    environment,
    runId,
    ...(index % 2 === 0 ? { approved: true } : { approved: false, rejectionReason: "no" }),
    idempotencyKey: random.uuid(),
    by: { person: `person-${index % people}` },
  }));
  const decide = (decision: DecideRequest) =>
    random
      .pick(engines)
      .reviews.decide(decision)
      .then(({ status }) => status, codeFrom);
  const answers = await Promise.all(asked.map(decide));

  const winner = answers.findIndex((answer) => answer === "approved" || answer === "rejected");
  const decision = asked[winner];
  const conflicts = answers.filter((answer) => answer === "already_decided").length;
  if (decision === undefined || conflicts !== decisions - 1) {
    broken(`${conflicts} of ${decisions} decisions came too late; answers: ${[...new Set(answers)].join(", ")}`);
    return;
  }
  const repeated = await Promise.all(Array.from({ length: repeats }, () => decide(decision)));
  if (repeated.some((answer) => answer !== "replayed")) broken(`repeated, it was answered ${repeated.join(", ")}`);

  const { approved } = decision;
  const status = await untilStatus(storm, runId, ["completed", "failed"]);
  if (status !== (approved ? "completed" : "failed")) broken(`approved: ${approved}, and the run is ${status}`);
  const paid = [...payments.values()];
  if (paid.join() !== (approved ? "1" : "")) broken(`approved: ${approved}, and it was paid ${paid.join()} times`);
  const rows = await random.pick(engines).runs.journal({ environment, runId });
  const answered = rows.flatMap(({ entries }) => entries).filter(({ type }) => type === "review_closed").length;
  if (answered !== 1) broken(`${answered} answers are on record`);
}

/** Advances time until the run has one of these statuses or must be stuck; returns the status. */
async function untilStatus({ engines, clock }: Storm, runId: string, wanted: readonly string[]): Promise<string> {
  let status = "unknown";
  for (let turn = 0; turn < maxTurns && !wanted.includes(status); turn++) {
    await clock.advance(turnMs);
    status = (await engines[turn % engines.length]?.runs.get({ environment, runId }))?.status ?? status;
  }
  return status;
}

function codeFrom(error: unknown): string {
  return ProcedoError.isError(error) ? error.code : String(error);
}
