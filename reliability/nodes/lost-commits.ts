import { seededRandom, type SeededRandom } from "@procedo-testing/faults";
import { countWhatHappened } from "../crash/count-what-happened.ts";
import { tally } from "../crash/tally.ts";
import { forTier, type ProofGroup, type ProofOptions, type ProofResult } from "../proof-group.ts";
import { feeder } from "./load.ts";
import { finishTogether, withWorld } from "./postgres-world.ts";
import { startProxy, type DecideStatement, type TcpProxy } from "./tcp-proxy.ts";

const cutsOf = { commit: 40, nightly: 2_000, release: 10_000 };
const leaseMs = 2_000;
/** The share of writes that are cut. */
const cutShare = 0.05;
const runsPerCut = 2;

/** pg-lost-commits: the connection breaks while a commit or its answer is under way, so that its effect is unknown. */
export const lostCommits: ProofGroup = {
  id: "pg-lost-commits",
  title: "The connection cut when a commit was sent, before Postgres has it or before its answer arrives",
  lowered: { commit: "40 cuts of 100: the time of a commit" },
  run: (options) => proveLostCommits(options),
};

/** The same with modules that are loaded before the product. */
export async function proveLostCommits(
  { tier, seed, seeds, report }: ProofOptions,
  preload: readonly string[] = [],
): Promise<ProofResult> {
  const total = tally();
  const random = seededRandom(seed * 1_000 + 5);
  const cuts = seeds ?? forTier(tier, cutsOf);
  const on = await withWorld({ name: "lost-commits", random, leaseMs, preload }, async (postgres, server) => {
    const { world, hardships } = postgres;
    const proxies = [await startProxy(server.port), await startProxy(server.port)];
    try {
      await postgres.bootThrough(proxies[0]);
      await postgres.bootThrough(proxies[1]);
      const done = { lost: 0, unanswered: 0 };
      const cutSoFar = (): number => done.lost + done.unanswered;
      for (const [node, proxy] of proxies.entries()) {
        proxy.onStatement(cutCommits(random.fork(`cuts-${node}`), cuts, done));
      }
      const feed = feeder(world, random.fork("load"), {
        allowed: () => (cutSoFar() + 10) * runsPerCut,
        open: 40,
        more: () => cutSoFar() < cuts,
      });
      let reported = 0;
      await postgres.drive({
        limitMs: cuts * 1_000 + 120_000,
        feed: (look) => {
          if (cutSoFar() >= reported + 50) report(`pg-lost-commits: ${(reported = cutSoFar())} of ${cuts} commits cut`);
          return feed(look);
        },
      });
      countWhatHappened(total, await finishTogether(postgres));
      total.add("cutBeforePostgres", done.lost);
      total.add("cutBeforeTheAnswer", done.unanswered);
      total.add("refusedForNow", hardships.refused);
    } finally {
      await Promise.all(proxies.map((proxy: TcpProxy) => proxy.close()));
    }
  }).catch((error: unknown) => {
    total.fail(`pg-lost-commits seed ${seed}: ${error instanceof Error ? error.message : String(error)}`);
    return {};
  });
  return { ...total.result({ leaseMs }), on };
}

/** A commit, or a single writing statement outside a transaction. */
function cutCommits(random: SeededRandom, cuts: number, done: { lost: number; unanswered: number }): DecideStatement {
  return ({ text, open }) => {
    const commits = /^\s*commit\b/i.test(text) || (!open && /\b(insert into|update|delete from)\b/i.test(text));
    if (!commits || done.lost + done.unanswered >= cuts || !random.chance(cutShare)) return "passes";
    const fate = random.chance(0.5) ? "lost" : "unanswered";
    done[fate] += 1;
    return fate;
  };
}
