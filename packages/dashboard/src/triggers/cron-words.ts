import cronstrue from "cronstrue";

/** The times of a cron expression in words: "At 06:30, Monday through Friday". `undefined` for what cannot be read. */
export function cronWords(cron: string): string | undefined {
  // The library also reads seconds, years and nicknames, which a schedule does not have.
  if (cron.trim().split(/\s+/).length !== 5) return undefined;
  try {
    return cronstrue.toString(cron, { use24HourTimeFormat: true });
  } catch {
    return undefined;
  }
}
