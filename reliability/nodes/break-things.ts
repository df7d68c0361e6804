import { setTimeout as pause } from "node:timers/promises";
import type { SeededRandom } from "@procedo-testing/faults";
import type { PostgresWorld } from "./postgres-world.ts";
import type { TcpProxy } from "./tcp-proxy.ts";

export interface Breaking {
  readonly random: SeededRandom;
  readonly leaseMs: number;
  /** The end, by `performance.now()`. */
  readonly until: number;
}

type Kind = "kills" | "stops" | "partitions";

const kinds: readonly Kind[] = ["kills", "stops", "partitions"];
const longestGapMs = 600;

/**
 * In turn, kills a node and starts another one, pauses one past its lease, or cuts one off, each behind its proxy. At
 * the end all nodes work again. Returns the number of each fault.
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
    if (member === undefined || proxy === undefined) throw new Error("Each node needs its own proxy.");
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
