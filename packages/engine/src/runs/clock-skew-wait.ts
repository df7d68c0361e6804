import { sleep } from "../ports/clock.ts";
import type { ExecutionPorts, Holder } from "./execution-ports.ts";
import type { ActiveRun } from "./active-run.ts";
import { maxLagMs } from "./wait-over.ts";

/** The longest step of waiting here. */
export const clockSkewWaitMs = 1_000;

/**
 * Storage woke the run, but by this worker's clock it is too early: waits here for the clocks to agree rather than
 * parking a run again that would be woken at once. A run with more time left than clocks differ was woken for something
 * else, and one step of waiting keeps even clocks that differ by hours from a row for every turn.
 *
 * @returns whether to look again
 */
export async function waitOutClockSkew(
  ports: ExecutionPorts,
  holder: Holder,
  run: ActiveRun,
  untilMs: number | undefined,
): Promise<boolean> {
  if (run.pending.length > 0 || untilMs === undefined || holder.draining()) return false;
  const leftMs = untilMs - ports.clock.now();
  await sleep(ports.clock, Math.min(Math.max(1, leftMs), clockSkewWaitMs), holder.stopped);
  return leftMs <= maxLagMs;
}
