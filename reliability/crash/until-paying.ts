import { setTimeout as pause } from "node:timers/promises";
import type { World } from "./world.ts";

/** Number of payments that must reach the ledger before a fault, within the time limit below. */
const fewestPayments = 4;
const longestWaitMs = 5_000;

/** The number of payment requests that have reached the ledger. */
export async function paymentRequests({ ledger }: Pick<World, "ledger">): Promise<number> {
  return (await ledger.effects()).reduce((sum, { requests }) => sum + requests, 0);
}

/** Waits until some more payments have reached the ledger, which answers late, or until none arrive for a while. */
export async function untilPaying(world: Pick<World, "ledger">, before: number): Promise<void> {
  const giveUpAt = performance.now() + longestWaitMs;
  while ((await paymentRequests(world)) < before + fewestPayments && performance.now() < giveUpAt) await pause(10);
}
