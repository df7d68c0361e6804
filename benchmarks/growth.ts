/**
 * Memory over many runs, in this fresh process (with `--expose-gc`): prints one {@link GrowthPoint} as JSON per line.
 */
import process from "node:process";
import { setImmediate as nextTurn } from "node:timers/promises";
import { withFreshFolder } from "./fresh-process.ts";
import { instantTools, paymentInput } from "./payment.ts";
import { loadSystem } from "./systems.ts";

/** The parent's request. */
export interface GrowthMeasurement {
  readonly system: string;
  /** A new database of Postgres, for a system that stores its rows there. */
  readonly databaseUrl?: string;
  readonly concurrency: number;
  readonly runs: number;
  /** Number of memory samples. */
  readonly points: number;
}

/** Memory after this many runs, with none in progress. */
export interface GrowthPoint {
  readonly runs: number;
  readonly rssMb: number;
  /** JavaScript heap after a full collection: the memory that is really in use. */
  readonly heapMb: number;
  /** Buffers and native memory that the runtime reports. */
  readonly externalMb: number;
}

const { databaseUrl, ...asked } = JSON.parse(process.argv[2] ?? "null") as GrowthMeasurement;
await withFreshFolder(async (directory) => {
  const system = await loadSystem(asked.system);
  const place = { directory, ...(databaseUrl !== undefined && { databaseUrl }) };
  const session = await system.open({ ...place, tools: instantTools });
  let started = 0;
  const runUntil = async (end: number): Promise<void> => {
    while (started < end) await session.run(paymentInput(started++));
  };
  for (let point = 1; point <= asked.points; point++) {
    const end = Math.round((asked.runs * point) / asked.points);
    await Promise.all(Array.from({ length: asked.concurrency }, () => runUntil(end)));
    await nextTurn();
    await globalThis.gc?.({ type: "major", execution: "async" });
    const { rss, heapUsed, external } = process.memoryUsage();
    const mb = (bytes: number) => bytes / 2 ** 20;
    const seen: GrowthPoint = { runs: started, rssMb: mb(rss), heapMb: mb(heapUsed), externalMb: mb(external) };
    process.stdout.write(`${JSON.stringify(seen)}\n`);
  }
  await session.close();
});
