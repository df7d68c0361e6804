import { setTimeout as pause } from "node:timers/promises";

const lookEveryMs = 50;

/**
 * Polls until a condition holds.
 *
 * @throws Error if it does not hold within 20 seconds
 */
export async function until(holds: () => Promise<boolean>, what: string, limitMs = 20_000): Promise<void> {
  const giveUpAt = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error(`Not within ${limitMs} ms: ${what}.`);
    await pause(lookEveryMs);
  }
}
