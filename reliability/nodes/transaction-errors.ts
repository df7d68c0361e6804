import { seededRandom } from "@procedo-testing/faults";
import { countWhatHappened } from "../crash/count-what-happened.ts";
import { tally } from "../crash/tally.ts";
import { forTier, type ProofGroup } from "../proof-group.ts";
import { feeder } from "./load.ts";
import { finishTogether, withWorld, type PostgresWorld } from "./postgres-world.ts";

const transactionsOf = { commit: 500, nightly: 20_000, release: 100_000 };
const brokenShare = 0.05;
const leaseMs = 2_000;
const open = 40;

/** pg-transaction-errors: Postgres aborts transactions as it does under contention. */
export const transactionErrors: ProofGroup = {
  id: "pg-transaction-errors",
  title: "One transaction in twenty aborted by a serialization failure or a deadlock",
  run: async ({ tier, seed, seeds, report }) => {
    const total = tally();
    const random = seededRandom(seed * 1_000 + 8);
    const transactions = seeds ?? forTier(tier, transactionsOf);
    const on = await withWorld({ name: "transaction-errors", random, leaseMs, brokenShare }, async (postgres) => {
      const { world, hardships } = postgres;
      await postgres.boot(2);
      let seen = 0;
      let planned = 20;
      const feed = feeder(world, random.fork("load"), {
        allowed: () => planned,
        open,
        more: () => seen < transactions,
      });
      await postgres.drive({
        limitMs: transactions * 100 + 120_000,
        feed: (look) => {
          void countOf(postgres).then((counted) => (seen = counted.transactions));
          if (seen < transactions && world.starts.length === planned) planned += 5;
          return feed(look);
        },
      });
      countWhatHappened(total, await finishTogether(postgres));
      const { transactions: all, broken } = await countOf(postgres);
      total.add("transactions", all);
      total.add("brokenOff", broken);
      if (broken === 0) throw new Error("no transaction was aborted, so the group proves nothing");
      if (hardships.refused > 0) throw new Error(`${hardships.refused} requests were refused because of it`);
      report(`pg-transaction-errors: ${broken} of ${all} transactions aborted, no caller was refused`);
    }).catch((error: unknown) => {
      total.fail(`pg-transaction-errors seed ${seed}: ${error instanceof Error ? error.message : String(error)}`);
      return {};
    });
    return { ...total.result(), on };
  },
};

async function countOf(postgres: PostgresWorld): Promise<{ readonly transactions: number; readonly broken: number }> {
  const sum = { transactions: 0, broken: 0 };
  for (const member of postgres.living()) {
    const reply = await member.ask("count", {});
    if (reply.status !== "answered") continue;
    sum.transactions += reply.value.transactions;
    sum.broken += reply.value.broken;
  }
  return sum;
}
