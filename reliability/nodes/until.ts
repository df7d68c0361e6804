import { setTimeout as pause } from "node:timers/promises";

const lookEveryMs = 50;

/**
 * Waits until something holds that nobody tells of.
 *
 * @throws Error when it does not within 20 seconds
 */
export async function until(holds: () => Promise<boolean>, what: string, limitMs = 20_000): Promise<void> {
  const giveUpAt = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error(`Not within ${limitMs} ms: ${what}.`);
    await pause(lookEveryMs);
  }
}
