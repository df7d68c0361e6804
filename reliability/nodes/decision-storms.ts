import { seededRandom, type SeededRandom } from "@procedo-testing/faults";
import { tally } from "../crash/tally.ts";
import { forTier, type ProofGroup, type ProofOptions, type ProofResult } from "../proof-group.ts";
import type { Member, MemberReply } from "./member.ts";
import { withWorld, type PostgresWorld } from "./postgres-world.ts";
import { readPostgres } from "./read-postgres.ts";
import { judgeStorms, type StormDecision } from "./judge-storms.ts";
import { until } from "./until.ts";

const roundsOf = { commit: 4, nightly: 500, release: 500 };
const nodes = 3;
const decisions = 100;
const people = 10;
const starts = 50;
const repeats = 20;
const leaseMs = 15_000;

/** pg-decision-storms: many concurrent decisions over several nodes. */
export const decisionStorms: ProofGroup = {
  id: "pg-decision-storms",
  title: "Storms of decisions and of starts with one key, over three nodes on Postgres",
  lowered: { commit: "4 rounds of 20: the time of a commit" },
  run: (options) => proveDecisionStorms(options),
};

/** The same with modules that are loaded before the product. */
export async function proveDecisionStorms(
  { tier, seed, seeds, report }: ProofOptions,
  preload: readonly string[] = [],
): Promise<ProofResult> {
  const total = tally();
  const rounds = seeds ?? forTier(tier, roundsOf);
  const random = seededRandom(seed * 1_000 + 101);
  const on = await withWorld({ name: "decision-storms", random, leaseMs, preload }, async (postgres) => {
    await postgres.boot(nodes);
    const told: StormDecision[] = [];
    // One failure is enough.
    let isBroken = false;
    for (let round = 0; round < rounds && !isBroken; round++) {
      const broken = (what: string): void => {
        isBroken = true;
        total.fail(`pg-decision-storms round ${round} of seed ${seed}: ${what}`);
      };
      const runId = await startStorm(postgres, random, round, broken);
      if (runId !== undefined) await decisionStorm(postgres, random, runId, { broken, told });
      total.add("rounds");
      if (round % 50 === 49) report(`pg-decision-storms: ${round + 1} of ${rounds} rounds`);
    }
    const content = await readPostgres(postgres.databaseUrl);
    for (const fault of judgeStorms(content, told)) total.fail(`pg-decision-storms seed ${seed}: ${fault}`);
  }).catch((error: unknown) => {
    total.fail(`pg-decision-storms seed ${seed}: ${error instanceof Error ? error.message : String(error)}`);
    return {};
  });
  return { ...total.result({ starts: rounds * starts, decisions: rounds * decisions }), on };
}

type Broken = (what: string) => void;

/** Concurrent starts with one key create one run, and every caller receives it. */
async function startStorm(
  { members }: PostgresWorld,
  random: SeededRandom,
  round: number,
  broken: Broken,
): Promise<string | undefined> {
  const replies = await Promise.all(
    Array.from({ length: starts }, () => random.pick(members).ask("begin", { key: `storm-${round}` })),
  );
  const runIds = new Set(replies.map((reply) => (reply.status === "answered" ? reply.value.runId : codeOf(reply))));
  const [runId] = runIds;
  if (runIds.size !== 1) broken(`one key was answered with ${[...runIds].join(", ")}`);
  return runIds.size === 1 ? runId : undefined;
}

/**
 * Ten people decide 100 times, half of them to approve and half to reject: one decision counts, and all others are told
 * so.
 */
async function decisionStorm(
  { members }: PostgresWorld,
  random: SeededRandom,
  runId: string,
  { broken, told }: { readonly broken: Broken; readonly told: StormDecision[] },
): Promise<void> {
  await until(async () => (await statusOf(random.pick(members), runId)) === "awaiting_review", `asked about ${runId}`);
  const votes = Array.from({ length: decisions }, (_, index) => {
    return { runId, approved: index % 2 === 0, person: `person-${index % people}`, key: random.uuid() };
  });
  const replies = await Promise.all(votes.map((vote) => random.pick(members).ask("vote", vote)));
  const winners = votes.filter((_, index) => replies[index]?.status === "answered");
  const tooLate = replies.filter((reply) => reply.status === "refused" && reply.code === "already_decided").length;
  const [winner] = winners;
  if (winner === undefined || winners.length !== 1 || tooLate !== decisions - 1) {
    broken(`${winners.length} decisions won and ${tooLate} came too late: ${[...new Set(replies.map(codeOf))].join()}`);
    return;
  }
  told.push({ runId, approved: winner.approved });
  const repeated = await Promise.all(Array.from({ length: repeats }, () => random.pick(members).ask("vote", winner)));
  if (repeated.some(({ status }) => status !== "answered")) broken(`repeated: ${repeated.map(codeOf).join()}`);
  const wanted = winner.approved ? "completed" : "failed";
  await until(async () => (await statusOf(random.pick(members), runId)) === wanted, `${wanted}: ${runId}`);
}

async function statusOf(member: Pick<Member, "ask">, runId: string): Promise<string | undefined> {
  const reply = await member.ask("read", { runId });
  return reply.status === "answered" ? reply.value.status : undefined;
}

function codeOf(reply: MemberReply<"begin" | "vote">): string {
  return reply.status === "refused" ? `${reply.code} ${reply.message}` : reply.status;
}
