import { seededRandom, type SeededRandom } from "@procedo-testing/faults";
import { tally, type Tally } from "../crash/tally.ts";
import { forTier, type ProofGroup } from "../proof-group.ts";
import { breakThings } from "./break-things.ts";
import { actAs, type Crowd, type Watched } from "./clients.ts";
import { isLinearizable } from "./history-checker.ts";
import { judgeDecisions } from "./judge-decisions.ts";
import { type ProvenOn, withWorld, type PostgresWorld } from "./postgres-world.ts";
import { readPostgres } from "./read-postgres.ts";
import { startProxy, type TcpProxy } from "./tcp-proxy.ts";

const timesOf = { commit: 1, nightly: 20, release: 100 };
const secondsOf = { commit: 6, nightly: 60, release: 60 };
const nodes = 3;
const clients = 5;
const leaseMs = 1_500;
/** The time after which a client without an answer gives up; its request may still take effect. */
const patienceMs = 6_000;
const answerWithinMs = 1_500;

/** pg-linearizability: one order explains all observations of a run by several clients, under faults. */
export const linearizable: ProofGroup = {
  id: "pg-linearizability",
  title: "Reads and decisions of five clients are linearizable, with nodes killed, paused and cut off",
  lowered: { commit: "6 s of 60 s: the time of a commit" },
  run: async ({ tier, seed, seeds, report }) => {
    const total = tally();
    let on: ProvenOn = {};
    const times = seeds ?? forTier(tier, timesOf);
    const seconds = forTier(tier, secondsOf);
    for (let time = 0; time < times; time++) {
      const what = `pg-linearizability seed ${seed}, time ${time}`;
      const random = seededRandom(seed * 1_000 + 10_000 + time);
      on = await withWorld({ name: "linearizable", random, leaseMs }, (postgres, server) =>
        lookOn(postgres, server.port, { random, seconds, total, what }),
      ).catch((error: unknown) => {
        total.fail(`${what}: ${error instanceof Error ? error.message : String(error)}`);
        return {};
      });
      report(`pg-linearizability: ${time + 1} of ${times} times`);
    }
    return { ...total.result({ leaseMs }), on };
  },
};

interface LookingOn {
  readonly random: SeededRandom;
  readonly seconds: number;
  readonly total: Tally;
  readonly what: string;
}

async function lookOn(postgres: PostgresWorld, port: number, given: LookingOn): Promise<void> {
  const { random, seconds, total, what } = given;
  const proxies: TcpProxy[] = [];
  try {
    for (let node = 0; node < nodes; node++) {
      const proxy = await startProxy(port);
      proxies.push(proxy);
      await postgres.bootThrough(proxy);
    }
    const watched: Watched[] = [];
    const endsAt = performance.now() + seconds * 1_000;
    const crowd = (client: number): Crowd => ({
      cluster: {
        ...{ random: random.fork(`client-${client}`), members: postgres.living, hardships: postgres.hardships },
        ...{ patienceMs, answerWithinMs },
      },
      watched,
      isRunning: () => performance.now() < endsAt,
    });
    const acting = Array.from({ length: clients }, (_, client) => actAs(`person-${client}`, crowd(client)));
    const chaos = breakThings(postgres, proxies, { random: random.fork("chaos"), leaseMs, until: endsAt });
    await Promise.all(acting);
    for (const [kind, count] of await chaos) total.add(kind, count);
    judgeHistories(watched, total, what);
    const content = await readPostgres(postgres.databaseUrl);
    for (const fault of judgeDecisions(content, watched)) total.fail(`${what}: ${fault}`);
  } finally {
    await Promise.all(proxies.map((proxy) => proxy.close()));
  }
}

function judgeHistories(watched: readonly Watched[], total: Tally, what: string): void {
  total.add("runs", watched.length);
  for (const { runId, seen } of watched) {
    total.add("operations", seen.length);
    total.add("votesWon", seen.filter((one) => one.what.kind === "vote" && one.what.outcome === "won").length);
    total.add("neverAnswered", seen.filter(({ endedMs }) => endedMs === Infinity).length);
    if (!isLinearizable(seen)) total.fail(`${what}: no order explains run ${runId}: ${JSON.stringify(seen)}`);
  }
}
