import { sleep } from "../ports/clock.ts";
import { hasPendingEntries, type ActiveRun } from "./active-run.ts";
import type { ExecutionPorts, Holder } from "./execution-ports.ts";
import { maxLagMs } from "./wait-over.ts";

/** Longest wait in memory before the run is checked again. */
export const clockSkewWaitMs = 1_000;

/**
 * Waits in memory if storage woke the run before its time by this worker's clock: a parked run would be woken again at
 * once. A run whose time is further away than clocks differ was woken for another reason. Such a run waits once too, so
 * that clocks that differ by hours do not cause one row per turn.
 *
 * @returns whether the run's time may have come
 */
export async function waitOutClockSkew(
  ports: ExecutionPorts,
  holder: Holder,
  run: ActiveRun,
  untilMs: number | undefined,
): Promise<boolean> {
  if (hasPendingEntries(run) || untilMs === undefined || holder.draining()) return false;
  const leftMs = untilMs - ports.clock.now();
  await sleep(ports.clock, Math.min(Math.max(1, leftMs), clockSkewWaitMs), holder.stopped);
  return leftMs <= maxLagMs;
}
