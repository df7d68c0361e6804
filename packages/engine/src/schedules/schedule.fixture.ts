import type { ScheduleSource } from "@procedo/contract";
import { scheduleOf, type Schedule } from "./schedule.ts";

/** A source with the defaults of the contract. */
export function scheduleSource(
  cron: string,
  timeZone = "UTC",
  fields: Partial<Omit<ScheduleSource, "kind">> = {},
): ScheduleSource {
  const defaults = { startsAt: null, endsAt: null, spread: "PT0S", catchUp: "latest", catchUpWithin: "PT24H" } as const;
  return { kind: "schedule", cron, timeZone, ...defaults, ...fields };
}

/** The schedule of such a source, of the trigger `trg_1`. */
export function schedule(...source: Parameters<typeof scheduleSource>): Schedule {
  return scheduleOf(scheduleSource(...source), "trg_1");
}

/** The times after one moment and before another, as ISO 8601. */
export function timesBetween(one: Schedule, after: string, before: string): readonly string[] {
  const found: string[] = [];
  const end = Date.parse(before);
  for (let ms = one.after(Date.parse(after)); ms !== undefined && ms < end; ms = one.after(ms)) {
    found.push(new Date(ms).toISOString());
  }
  return found;
}

/** The same by looking back. */
export function timesBackwards(one: Schedule, after: string, before: string): readonly string[] {
  const found: string[] = [];
  const start = Date.parse(after);
  for (let ms = one.before(Date.parse(before)); ms !== undefined && ms > start; ms = one.before(ms)) {
    found.unshift(new Date(ms).toISOString());
  }
  return found;
}
