import { setTimeout as pause } from "node:timers/promises";
import type { SeededRandom } from "@procedo-testing/faults";
import type { PostgresWorld } from "./postgres-world.ts";
import type { TcpProxy } from "./tcp-proxy.ts";

export interface Breaking {
  readonly random: SeededRandom;
  readonly leaseMs: number;
  /** When it ends, as `performance.now()` tells. */
  readonly until: number;
}

type Kind = "kills" | "stops" | "partitions";

const kinds: readonly Kind[] = ["kills", "stops", "partitions"];
const longestGapMs = 600;

/**
 * Kills a node and starts another, stops one past its lease, or cuts one off, in turn, each behind its proxy. Everything
 * is whole again when it ends. Answers how often.
 */
export async function breakThings(
  postgres: PostgresWorld,
  proxies: readonly TcpProxy[],
  { random, leaseMs, until }: Breaking,
): Promise<ReadonlyMap<Kind, number>> {
  const counts = new Map<Kind, number>();
  const members = [...postgres.living()];
  while (performance.now() < until) {
    await pause(random.below(longestGapMs));
    const place = random.below(members.length);
    const member = members[place];
    const proxy = proxies[place];
    if (member === undefined || proxy === undefined) throw new Error("Each node has a proxy of its own.");
    const kind = random.pick(kinds);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    switch (kind) {
      case "kills":
        await member.kill();
        members[place] = await postgres.bootThrough(proxy);
        break;
      case "stops":
        member.pause();
        await pause(leaseMs * (0.5 + random.below(10) / 10));
        member.resume();
        break;
      case "partitions":
        proxy.partition();
        await pause(leaseMs * (0.5 + random.below(10) / 10));
        proxy.heal();
        break;
    }
  }
  return counts;
}
