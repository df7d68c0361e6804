import { setTimeout as pause } from "node:timers/promises";
import { seededRandom, type SeededRandom } from "@procedo-testing/faults";
import { forTier, type ProofGroup, type ProofOptions } from "../proof-group.ts";
import { askedInVain, callsUnderWay, mostTold } from "./calls-under-way.ts";
import { countWhatHappened } from "./count-what-happened.ts";
import type { RunShape } from "./crash-procedure.ts";
import { drive } from "./drive.ts";
import { createJudge } from "./judge.ts";
import { expectEnd, finish } from "./kill-at.ts";
import { concurrently } from "./concurrently.ts";
import { tally, type Tally } from "./tally.ts";
import { startNode, type NodeProcess } from "./node.ts";
import type { NodeSetup } from "./protocol.ts";
import { quantile } from "./quantile.ts";
import { paymentRequests, untilPaying } from "./until-paying.ts";
import { createWorld, type World } from "./world.ts";

const killsOf = { commit: 16, nightly: 5_000, release: 20_000 };

/** The number of open runs at any time, over all lanes. */
const openRuns = 200;

/** Number of kills per database, because the checks read its whole history each time. */
const killsPerWorld = 50;

const longestLifeMs = 900;
const leaseMs = 500;
const twoDaysMs = 2 * 86_400_000;
/** The ledger's delay during a fault, shorter than the timeout of a payment. */
const lateAnswerMs = 150;
/** Longer than the timeout of a payment. */
const longDrainMs = 10_000;

/** The ways in which a process ends. */
const ends = {
  kills: "SIGKILL",
  drains: "exit code 0",
  shortDrains: "exit code 0",
  /** The process is paused for longer than its lease, resumes, and drains. */
  pauses: "exit code 0",
  /** The next process starts two days later, when the ledger has forgotten its keys. */
  twoDays: "SIGKILL",
} as const;

type Fault = keyof typeof ends;

/** The faults, in turn. */
const faults: readonly Fault[] = ["kills", "drains", "kills", "twoDays", "kills", "pauses", "kills", "shortDrains"];

function faultOf(kill: number): Fault {
  return faults[kill % faults.length] ?? "kills";
}

/** Whether the node lives to receive the answers of all payments under way. */
function isHeardOut(fault: Fault): boolean {
  return fault === "drains" || fault === "pauses";
}

/** crash-sqlite: kills, drains, pauses and restarts two days later, at random moments under load. */
export const randomKills: ProofGroup = {
  id: "crash-sqlite",
  title:
    "SIGKILL at any moment with 200 runs under way; drains, pauses past the lease, and two days without the service",
  lowered: { commit: "16 ends of processes of 100: the time of a commit" },
  run: async (options) => {
    const total = tally();
    const progress: number[] = [];
    const kills = options.seeds ?? forTier(options.tier, killsOf);
    const worlds = Array.from({ length: Math.ceil(kills / killsPerWorld) }, (_, number) => {
      return { number, kills: Math.min(killsPerWorld, kills - number * killsPerWorld) };
    });
    await concurrently(worlds, 2, async (lane) => {
      for (const world of lane) await killOften(options, world, total, progress);
    });
    options.report(`from the start of a process to its first durable row: p95 ${quantile(progress, 0.95)} ms`);
    return total.result({
      restartToProgressP50Ms: quantile(progress, 0.5),
      restartToProgressP95Ms: quantile(progress, 0.95),
    });
  },
};

async function killOften(
  options: ProofOptions,
  { number, kills }: { readonly number: number; readonly kills: number },
  total: Tally,
  progress: number[],
): Promise<void> {
  const random = seededRandom(options.seed * 1_000 + number);
  const what = `crash-sqlite seed ${options.seed}, database ${number}`;
  let clockAheadMs = 0;
  let node: NodeProcess | undefined;
  const start = (setup: NodeSetup): NodeProcess => (node = startNode({ ...setup, clockAheadMs }));
  const world = await createWorld({ name: "random-kills", random, leaseMs, start });
  const boot = (): NodeProcess => {
    world.boot();
    if (node === undefined) throw new Error("No process was started.");
    return node;
  };
  try {
    const judge = createJudge(world);
    const lives = random.fork("lives");
    const faulted: { readonly fault: Fault; readonly sinceMs: number; readonly atMs: number }[] = [];
    for (let kill = 0; kill < kills; kill++) {
      const fault = faultOf(kill);
      const now = (): number => Date.now() + clockAheadMs;
      const sinceMs = now();
      const living = boot();
      const driven = drive(world, living, { feed: feeder(world, random) });
      // Awaited when the process has ended.
      driven.catch(() => {});
      await living.ready;
      await pause(lives.below(longestLifeMs));
      if (!living.alive) throw new Error(`A node died by itself: ${living.end}.`);
      const { faults } = await judge.check("under way");
      if (faults.length > 0) throw new Error(`before kill ${kill + 1}: ${faults.join(" ")}`);
      const atMs = await strike(world, living, { fault, lives, now });
      faulted.push({ fault, sinceMs, atMs });
      await driven;
      expectEnd(living, ends[fault]);
      const progressMs = await living.progressMs;
      if (progressMs !== undefined) progress.push(Math.round(progressMs));
      if (fault === "twoDays") {
        await world.ledger.forgetKeys();
        clockAheadMs += twoDaysMs;
      }
      total.add(fault);
      if (kill % 10 === 9) options.report(`database ${number}: ${kill + 1} ends, ${world.starts.length} runs started`);
    }
    const evidence = await finish(world, judge, boot());
    countWhatHappened(total, evidence);
    const vain = faulted.flatMap(({ fault, ...life }) => {
      const calls = callsUnderWay(evidence.runs, life);
      total.add(`${fault}.inFlight`, calls.length);
      total.add(`${fault}.askedAbout`, calls.filter(({ question }) => question !== undefined).length);
      return isHeardOut(fault) ? askedInVain(calls).map((text) => `${fault}: ${text}`) : [];
    });
    if (vain.length > 0) throw new Error(vain.slice(0, mostTold).join(" "));
  } catch (error) {
    total.fail(`${what}: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    await world.close();
  }
}

interface Striking {
  readonly fault: Fault;
  readonly lives: SeededRandom;
  /** The clock of the process. */
  readonly now: () => number;
}

/**
 * Ends a node, with payments under way except at a plain kill. Returns the moment of the fault, by the clock of the
 * process.
 */
async function strike(world: World, node: NodeProcess, { fault, lives, now }: Striking): Promise<number> {
  if (fault === "kills") {
    await node.kill();
    return now();
  }
  await world.ledger.answerLate(lateAnswerMs);
  await untilPaying(world, await paymentRequests(world));
  const atMs = now();
  switch (fault) {
    case "drains":
      await node.drain(longDrainMs);
      break;
    case "shortDrains":
      await node.drain(lives.below(lateAnswerMs));
      break;
    case "pauses":
      node.pause();
      await pause(leaseMs + 100 + lives.below(leaseMs));
      node.resume();
      await node.drain(longDrainMs);
      break;
    case "twoDays":
      await node.kill();
      break;
  }
  await world.ledger.answerLate(0);
  return atMs;
}

/** Keeps this lane's share of runs open. */
function feeder(
  world: World,
  random: SeededRandom,
): (look: { readonly running: number; readonly reviews: readonly unknown[] }) => true {
  return ({ running, reviews }) => {
    const unanswered = world.starts.filter(({ runId }) => runId === undefined).length;
    for (let open = running + reviews.length + unanswered; open < openRuns / 2; open++) world.plan(shapeOf(random));
    return true;
  };
}

/** A fifth has a review, a fifth waits, and a few are cancelled or have a review that expires. */
function shapeOf(random: SeededRandom): RunShape {
  const drawn = random.below(100);
  if (drawn < 20) return "review";
  if (drawn < 40) return "sleep";
  if (drawn < 43) return "expire";
  return drawn < 48 ? "cancel" : "plain";
}
