import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startPostgres, type PostgresServer } from "@procedo-testing/postgres";
import { forTier, type ProofGroup } from "../proof-group.ts";
import { startPayingMember, type PayingAnswer, type PayingMember } from "./paying-member.ts";
import { leaseMs, lockSqlite, situations, stopPostgres, type Situation } from "./situations.ts";
import { openSlowBank } from "./slow-bank.ts";

const paymentsOf = { commit: 3, nightly: 40, release: 200 };
/** The time within which all payments of a situation are settled or under review. */
const settledMs = 60_000;

/** The result of one situation. */
export interface SituationResult {
  readonly situation: string;
  readonly database: "SQLite" | "Postgres";
  readonly inFlight: number;
  /** Payments with a review. */
  readonly asked: number;
  readonly doubled: number;
  readonly unsettled: number;
}

/** awaited-answers: payments under way in a drain, an outage or a pause. Their answers arrive, and no person is asked. */
export const awaitedAnswers: ProofGroup = {
  id: "awaited-answers",
  title: "Payments under way in a drain, an outage of the database, a pause: answered, none repeated, no review",
  lowered: { commit: "3 payments in each situation rather than 200: the time of a commit" },
  isSeeded: false,
  run: async ({ tier, seeds, report }) => {
    const payments = seeds ?? forTier(tier, paymentsOf);
    const results: SituationResult[] = [];
    const failures: string[] = [];
    for (const database of ["SQLite", "Postgres"] as const) {
      for (const situation of situations) {
        try {
          results.push(await measureSituation(situation, database, payments));
          report(`awaited-answers: ${describe(results.at(-1))}`);
        } catch (error) {
          failures.push(`awaited-answers: ${situation.name} on ${database}: ${String(error)}`);
        }
      }
    }
    for (const one of results)
      if (one.asked + one.doubled + one.unsettled > 0) failures.push(`awaited-answers: ${describe(one)}`);
    const sum = (of: (one: SituationResult) => number): number => results.reduce((total, one) => total + of(one), 0);
    return {
      counts: {
        situations: results.length,
        inFlight: sum(({ inFlight }) => inFlight),
        asked: sum(({ asked }) => asked),
        doubled: sum(({ doubled }) => doubled),
      },
      failures,
    };
  },
};

function describe(result: SituationResult | undefined): string {
  if (result === undefined) return "";
  const { situation, database, inFlight, asked, doubled, unsettled } = result;
  return `${database}, ${situation}: ${inFlight} payments in flight, ${asked} under review, ${doubled} repeated, ${unsettled} unsettled`;
}

async function measureSituation(
  situation: Situation,
  database: SituationResult["database"],
  payments: number,
): Promise<SituationResult> {
  const folder = await mkdtemp(join(tmpdir(), "procedo-result-"));
  const databasePath = join(folder, "procedo.sqlite");
  const server = database === "Postgres" ? await startPostgres() : undefined;
  const bank = await openSlowBank(situation.answerMs);
  const members: PayingMember[] = [];
  try {
    const databaseUrl = await server?.createDatabase();
    const { timeoutMs } = situation;
    const addMember = async (): Promise<void> => {
      const prepares = members.length === 0;
      const setup = { databaseUrl, databasePath, bankUrl: bank.url, leaseMs, timeoutMs, prepares };
      members.push(await startPayingMember(setup));
    };
    while (members.length < situation.members) await addMember();
    const [payer] = members;
    if (payer === undefined) throw new Error("No process was started.");
    // A few starts at a time, so that the process that accepts them also executes them.
    const { runIds = [] } = await payer.ask({ do: "start", runs: payments });
    await until(() => bank.inFlight === payments, "the payments have left");
    const { inFlight } = bank;
    const outage = (lastsMs: number): Promise<void> => breakOff(server, databasePath, lastsMs);
    await situation.happen({ payer, outage, addMember });
    const last = members.at(-1) ?? payer;
    const settled = await settle(last, runIds);
    return {
      situation: situation.name,
      database,
      inFlight,
      asked: settled.asked.length,
      doubled: [...bank.paid.values()].filter((times) => times > 1).length,
      unsettled: runIds.filter((runId) => ![...settled.ended, ...settled.asked].includes(runId)).length,
    };
  } finally {
    for (const member of members) await member.kill();
    await bank.close();
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function breakOff(server: PostgresServer | undefined, databasePath: string, lastsMs: number): Promise<void> {
  return server === undefined ? lockSqlite(databasePath, lastsMs) : stopPostgres(server, lastsMs);
}

/** Polls until each run has ended or has a review. */
async function settle(member: PayingMember, runIds: readonly string[]) {
  const untilMs = performance.now() + settledMs;
  for (;;) {
    const { ended = [], asked = [] } = await member.ask({ do: "look", runIds }).catch((): PayingAnswer => ({}));
    const done = runIds.every((runId) => ended.includes(runId) || asked.includes(runId));
    if (done || performance.now() > untilMs) return { ended, asked };
    await pause(200);
  }
}

async function until(isTrue: () => boolean, what: string): Promise<void> {
  const untilMs = performance.now() + 20_000;
  while (!isTrue()) {
    if (performance.now() > untilMs) throw new Error(`The expected state was not reached: ${what}.`);
    await pause(20);
  }
}
