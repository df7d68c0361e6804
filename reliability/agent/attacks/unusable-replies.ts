import { isDeepStrictEqual } from "node:util";
import { seededRandom } from "@procedo-testing/faults";
import { tally, type Tally } from "../../crash/lanes.ts";
import { forTier, type ProofGroup } from "../../proof-group.ts";
import { answerWith } from "../model-types.ts";
import { createReplyWorld, type RepliedRun, type ReplyWorld } from "./reply-world.ts";
import { randomReply } from "./random-reply.ts";
import { strangeAnswers } from "./strange-answers.ts";
import { wrongReplies } from "./wrong-replies.ts";

const randomOf = { commit: 400, nightly: 20_000, release: 100_000 };
/** A model is told what is wrong so often before its node fails. */
const mostReplies = 4;
/** Of a record: the replies that fit a step are kept, larger ones are not. */
const mostBytes = mostReplies * 4 * 1024 * 1024;
const together = 50;

/** agent-unusable-replies: of a reply that is not exactly what was asked for, nothing comes but an error that says what its limit was. */
export const unusableReplies: ProofGroup = {
  id: "agent-unusable-replies",
  title:
    "Replies that are no JSON, too large, too many, doubled, look-alike or strange: refused, with the limit, and no call",
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
          total.fail(`agent-unusable-replies: ${quarantined} runs were quarantined: a reply has broken something.`);
      } finally {
        await world.close();
      }
    }
    if (Object.keys(Object.prototype).length > 0)
      total.fail("agent-unusable-replies: every object has members of a reply.");
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
    expect(run.calls.length === 0 && run.branch === undefined, "something came of it");
    expect(says.test(run.error), `it does not say ${String(says)}`);
    expect(run.error.length < 2_500, "the error holds the reply");
    expect(run.bytes < mostBytes, "the reply was kept");
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

/** Replies that are good, or good but for what was done to them: what comes of them is known beforehand. */
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
    return run.status === "failed" && run.calls.length === 0 ? undefined : "Nothing was to come of these replies.";
  }
  const { amount, reference } = decisive.arguments;
  const isMade = run.calls.length === 1 && isDeepStrictEqual({ ...run.calls[0] }, payment(amount, reference));
  return isMade && run.status === "completed" ? undefined : "The first good reply was to be followed, and no other.";
}

function payment(amount: number, reference: string): object {
  return { amount, reference, vendorId: "ven_acme" };
}
