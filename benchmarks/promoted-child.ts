/**
 * The data that runs leave in the old generation, in this fresh process with `--expose-gc` and a heap that is never
 * full: executes W1 in consecutive runs and prints the bytes per run that survived two collections.
 */
import process from "node:process";
import { getHeapSpaceStatistics } from "node:v8";
import { withFreshFolder } from "./fresh-process.ts";
import { instantTools, paymentInput } from "./payment.ts";
import { loadSystem } from "./systems.ts";

/** The parent's request. */
export interface PromotedMeasurement {
  readonly system: string;
  /** Runs before and within the measurement. */
  readonly runs: number;
}

const asked = JSON.parse(process.argv[2] ?? "null") as PromotedMeasurement;
await withFreshFolder(async (directory) => {
  const system = await loadSystem(asked.system);
  const session = await system.open({ directory, tools: instantTools });
  const run = async (from: number): Promise<void> => {
    for (let n = from; n < from + asked.runs; n++) await session.run(paymentInput(n));
  };
  await run(0);
  globalThis.gc?.();
  const before = oldGenerationBytes();
  await run(asked.runs);
  process.stdout.write(String(Math.round((oldGenerationBytes() - before) / asked.runs)));
  await session.close();
});

function oldGenerationBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === "old_space")?.space_used_size ?? NaN;
}
