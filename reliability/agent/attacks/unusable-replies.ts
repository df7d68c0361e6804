import { isDeepStrictEqual } from "node:util";
import { seededRandom } from "@procedo-testing/faults";
import { tally, type Tally } from "../../crash/tally.ts";
import { forTier, type ProofGroup } from "../../proof-group.ts";
import { answerWith } from "../model-types.ts";
import { createReplyWorld, type RepliedRun, type ReplyWorld } from "./reply-world.ts";
import { randomReply } from "./random-reply.ts";
import { strangeAnswers } from "./strange-answers.ts";
import { wrongReplies } from "./wrong-replies.ts";

const randomOf = { commit: 400, nightly: 20_000, release: 100_000 };
/** The number of corrections before the node fails. */
const mostReplies = 4;
/** The size of a record's reply: larger replies are not stored. */
const mostBytes = mostReplies * 4 * 1024 * 1024;
const together = 50;

/** agent-unusable-replies: an invalid reply has no effect but an error that names the limit. */
export const unusableReplies: ProofGroup = {
  id: "agent-unusable-replies",
  title:
    "Replies that are no JSON, too large, too many, repeated, look-alike or malformed: refused with the limit, without a call",
  run: async ({ tier, seed, seeds, report }) => {
    const total = tally();
    for (const streaming of [false, true]) {
      const world = await createReplyWorld({ streaming });
      try {
        await refuseWrong(world, total);
        if (!streaming) await surviveStrange(world, total);
        if (!streaming) await judgeRandom(world, total, { seed, count: seeds ?? forTier(tier, randomOf), report });
        const quarantined = await world.quarantined();
        if (quarantined > 0)
          total.fail(`agent-unusable-replies: ${quarantined} runs were quarantined because of a reply.`);
      } finally {
        await world.close();
      }
    }
    if (Object.keys(Object.prototype).length > 0)
      total.fail("agent-unusable-replies: a reply changed the prototype of all objects.");
    return total.result({ wrongReplies: wrongReplies.length, strangeAnswers: strangeAnswers.length });
  },
};

async function refuseWrong(world: ReplyWorld, total: Tally): Promise<void> {
  for (const { name, kind, answer, says } of wrongReplies) {
    const run = await world.run(kind, () => answer);
    const expect = (holds: boolean, what: string): void => {
      if (!holds)
        total.fail(
          `agent-unusable-replies: ${name}: ${what}: ${JSON.stringify({ ...run, error: run.error.slice(0, 300) })}`,
        );
    };
    expect(run.status === "failed", "nothing failed");
    expect(run.calls.length === 0 && run.branch === undefined, "it had an effect");
    expect(says.test(run.error), `its error does not match ${String(says)}`);
    expect(run.error.length < 2_500, "the error contains the reply");
    expect(run.bytes < mostBytes, "the reply was stored");
    total.add("refused");
  }
}

async function surviveStrange(world: ReplyWorld, total: Tally): Promise<void> {
  for (const [name, answer] of strangeAnswers) {
    const run = await world.run("payment", () => answer);
    const isOnce = run.status === "completed" ? run.calls.length === 1 : run.calls.length === 0;
    const isGood = run.calls.every((made) => isDeepStrictEqual({ ...made }, payment(5, "INV-1")));
    const ends = run.status === "failed" || run.status === "completed";
    if (!isOnce || !isGood || !ends) total.fail(`agent-unusable-replies: ${name}: ${JSON.stringify(run)}`);
    total.add("survived");
  }
}

/** Valid replies and modified ones, whose consequences are known in advance. */
async function judgeRandom(
  world: ReplyWorld,
  total: Tally,
  { seed, count, report }: { readonly seed: number; readonly count: number; report(line: string): void },
): Promise<void> {
  for (let first = 0; first < count; first += together) {
    const numbers = Array.from({ length: Math.min(together, count - first) }, (_, index) => first + index);
    await Promise.all(
      numbers.map(async (number) => {
        const random = seededRandom(seed * 1_000_003 + number);
        const replies = Array.from({ length: mostReplies }, () => randomReply(random));
        const run = await world.run("payment", (turn) => replies[turn - 1]?.answer ?? answerWith([]));
        const fault = judge(run, replies);
        if (fault !== undefined)
          total.fail(`agent-unusable-replies seed ${seed}, case ${number}: ${fault} ${JSON.stringify(run)}`);
        total.add("randomReplies", mostReplies);
        if (run.calls.length > 0) total.add("callsOfGoodReplies");
      }),
    );
    if (first % 10_000 === 0) report(`agent-unusable-replies: ${first} of ${count}`);
  }
}

function judge(run: RepliedRun, replies: readonly ReturnType<typeof randomReply>[]): string | undefined {
  const decisive = replies.find(({ outcome }) => outcome !== "told");
  if (decisive === undefined || decisive.outcome === "fails") {
    return run.status === "failed" && run.calls.length === 0 ? undefined : "These replies must have no effect.";
  }
  const { amount, reference } = decisive.arguments;
  const isMade = run.calls.length === 1 && isDeepStrictEqual({ ...run.calls[0] }, payment(amount, reference));
  return isMade && run.status === "completed" ? undefined : "Only the first valid reply must have an effect.";
}

function payment(amount: number, reference: string): object {
  return { amount, reference, vendorId: "ven_acme" };
}
