import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startPostgres } from "@procedo-testing/postgres";
import { seededRandom, type SeededRandom } from "@procedo-testing/faults";
import { tally, type Tally } from "../../crash/tally.ts";
import { versionOf } from "../../nodes/postgres-world.ts";
import { forTier, type ProofGroup, type ProofOptions, type ProofResult } from "../../proof-group.ts";
import { startBank, type Bank } from "../kills/bank-server.ts";
import { startLoopProcess, type LoopProcess } from "../kills/start-loop-process.ts";
import { startModelServer } from "../kills/model-server.ts";
import type { CellSetup, LoopStart } from "../kills/process-protocol.ts";
import { atMostPerDay } from "./bounded-procedure.ts";
import { judgeBooks, paidBy, readBooks, takenOf } from "./limit-books.ts";

const roundsOf = { commit: 1, nightly: 40, release: 200 };
const killsOf = { commit: 2, nightly: 4, release: 6 };
const runsOfRound = 100;
const nodes = 2;
const leaseMs = 1_000;
const longestLifeMs = 1_500;
const lookMs = 40;
const dataFolder = join(import.meta.dirname, "../../../.procedo");

/** agent-shared-limit: one sum bounds the payments of all nodes, under kills of any node. */
export const sharedLimit: ProofGroup = {
  id: "agent-shared-limit",
  title:
    "A hundred runs at once on two nodes under one sum of the day, with nodes killed: never exceeded, and no part of it lost",
  lowered: { commit: "1 round with 2 kills instead of 40 with 4: the time of a commit" },
  run: (options) => proveSharedLimit(options),
};

/** @param preload modules that are loaded into each process before the product */
export async function proveSharedLimit(options: ProofOptions, preload: readonly string[] = []): Promise<ProofResult> {
  const { tier, seed, seeds, report } = options;
  const total = tally();
  const server = await startPostgres();
  try {
    const rounds = seeds ?? forTier(tier, roundsOf);
    for (let round = 0; round < rounds; round++) {
      const random = seededRandom(seed * 1_000 + round);
      const url = await server.createDatabase();
      const kills = forTier(tier, killsOf);
      await playRound({ url, random, total, kills, preload }).catch((error: unknown) => {
        total.fail(
          `agent-shared-limit seed ${seed}, round ${round}: ${error instanceof Error ? error.message : String(error)}`,
        );
      });
      if (round % 10 === 0) report(`agent-shared-limit: round ${round + 1} of ${rounds}`);
    }
    return { ...total.result(), on: await versionOf(server) };
  } finally {
    await server.close();
  }
}

interface Round {
  readonly url: string;
  readonly random: SeededRandom;
  readonly total: Tally;
  readonly kills: number;
  readonly preload: readonly string[];
}

async function playRound({ url, random, total, kills, preload }: Round): Promise<void> {
  await mkdir(dataFolder, { recursive: true });
  const folder = await mkdtemp(join(dataFolder, "agent-n11-"));
  const bank = await startBank(`token-${random.hex(16)}`, () => Promise.resolve());
  const model = await startModelServer(() => Promise.resolve());
  const loopProcesses: LoopProcess[] = [];
  let watch: ReturnType<typeof watchSum> | undefined;
  const common: Omit<CellSetup, "starts"> = {
    ...{ cell: 0, database: url, procedure: "bounded", keyPath: join(folder, "procedo.key"), leaseMs },
    ...{ bankUrl: bank.url, bankToken: bank.token, modelUrl: model.url },
  };
  const boot = (starts: readonly LoopStart[]): LoopProcess => {
    const loopProcess = startLoopProcess({ cells: [{ ...common, starts }] }, preload);
    loopProcesses.push(loopProcess);
    return loopProcess;
  };
  try {
    const members: LoopProcess[] = [];
    // The first process sets up the database.
    for (let node = 0; node < nodes; node++) {
      const loopProcess = boot([]);
      members.push(loopProcess);
      await loopProcess.next(0);
    }
    const starts = plan(random);
    for (const [node, loopProcess] of members.entries()) {
      loopProcess.send({ cell: 0, starts: starts.filter((_, index) => index % nodes === node) });
    }
    watch = watchSum(url, bank, total);
    for (let kill = 0; kill < kills; kill++) {
      await pause(random.below(longestLifeMs));
      const victim = random.below(nodes);
      await members[victim]?.kill();
      members[victim] = boot(starts);
      total.add("kills");
    }
    for (const loopProcess of members) await loopProcess.next(0);
    watch.stop();
    const seen = await watch.faults;
    const books = await readBooks(url, bank);
    const faults = [...seen, ...judgeBooks(books)];
    if (books.runs.length !== starts.length) faults.push(`${starts.length} starts made ${books.runs.length} runs.`);
    total.add("runs", books.runs.length);
    total.add("paid", books.paid.size);
    total.add("withoutRoom", books.runs.filter(({ error }) => /has no room/.test(error ?? "")).length);
    const [survivor] = members;
    if (survivor !== undefined) faults.push(...(await fillUp(survivor, url, bank)));
    if (faults.length > 0) throw new Error(faults.slice(0, 10).join(" "));
  } finally {
    watch?.stop();
    await Promise.all(loopProcesses.map((loopProcess) => loopProcess.kill()));
    await Promise.all([bank.close(), model.close()]);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Together they propose about twice the limit. The bank refuses some, whose reservations are released. */
function plan(random: SeededRandom): readonly LoopStart[] {
  return Array.from({ length: runsOfRound }, (_, index) => {
    const shape = random.chance(0.15) ? "refused" : "plain";
    return { key: `start-${index}`, input: { n: index + 1, shape, amount: 50 + random.below(300) } };
  });
}

/** Checks continuously that reservations stay within the limit, and payments within the reservations. */
function watchSum(
  url: string,
  bank: Bank,
  total: Tally,
): { stop(): void; readonly faults: Promise<readonly string[]> } {
  let stopped = false;
  const look = async (): Promise<readonly string[]> => {
    const faults: string[] = [];
    while (!stopped) {
      // Each payment had its reservation before, even if other reservations are released meanwhile.
      const paid = paidBy(bank);
      const taken = await takenOf(url);
      const sum = [...taken.values()].reduce((all, one) => all + one, 0);
      if ([...taken.values()].some((one) => one > atMostPerDay)) faults.push(`${sum} are taken, of ${atMostPerDay}.`);
      if (paid > sum) faults.push(`${paid} are paid, and ${sum} are taken.`);
      total.add("looks");
      await pause(lookMs);
    }
    return faults;
  };
  const faults = look();
  // The error is reported where the watch is awaited, unless another failure comes first.
  faults.catch(() => {});
  return { stop: () => void (stopped = true), faults };
}

/** The remaining sum can be used to the last unit, and no further. */
async function fillUp(loopProcess: LoopProcess, url: string, bank: Bank): Promise<readonly string[]> {
  const before = await takenOf(url);
  const [budget = ""] = [...before.keys()].sort().slice(-1);
  const left = atMostPerDay - (before.get(budget) ?? 0);
  const ask = async (key: string, amount: number): Promise<void> => {
    loopProcess.send({ cell: 0, starts: [{ key, input: { n: 1, shape: "plain", amount } }] });
    await loopProcess.next(0);
  };
  const paid = paidBy(bank);
  if (left > 0) await ask("the rest", left);
  await ask("one more", 1);
  const after = await takenOf(url);
  // A new day has begun, with a new sum.
  if (after.size !== before.size) return [];
  const more = paidBy(bank) - paid;
  return more === left ? [] : [`${left} were left of ${budget}, and ${more} could be paid.`];
}
