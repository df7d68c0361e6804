import { seededRandom } from "@procedo-testing/faults";
import type { CatchUp, ScheduleSource } from "@procedo/contract";
import { scheduleOf, type Schedule } from "../../packages/engine/src/schedules/schedule.ts";
import { forTier, type ProofGroup } from "../proof-group.ts";
import { expectedTimes } from "./expected-times.ts";
import { lookAtTimes } from "./look-at-times.ts";
import { minuteTable } from "./minute-table.ts";

/** Zones that change their clocks in 2026 by an hour, half an hour and two hours, at midnight and at other times. */
const zones = [
  "Africa/Cairo",
  "Africa/Casablanca",
  "America/Havana",
  "America/New_York",
  "America/Santiago",
  "America/St_Johns",
  "Antarctica/Troll",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
  "Europe/Berlin",
  "Pacific/Chatham",
];

const crons = [
  "*/15 * * * *",
  "0 */2 * * *",
  "5 * * * SUN",
  "30 2 * * *",
  "30 2,14 * * *",
  "0,30 0-3 * * *",
  "5 2 * * 0",
  "0 0 * * *",
  "30 6 * * 1-5",
  "59 23 L * *",
  "15 1 15W 3,4,10,11 *",
  "45 2 * * SUN#1",
];

const year = { fromMs: Date.UTC(2026, 0, 1), toMs: Date.UTC(2027, 0, 1) };
const dayMs = 86_400_000;

interface Period {
  readonly fromMs: number;
  readonly toMs: number;
}

/** schedule-year: the times of schedules, compared with a table that Intl makes for each minute. */
export const scheduleYear: ProofGroup = {
  id: "schedule-year",
  title: "Times of schedules in 2026, in 11 zones and by 12 expressions: each fires or is recorded as missed, once",
  lowered: { commit: "the days around the changes of clocks, not the whole year" },
  run: async ({ tier, seed, seeds, report }) => {
    const wanted = seeds ?? forTier(tier, { commit: 1, nightly: 3, release: 10 });
    const counts = { zones: 0, schedules: 0, minutes: 0, times: 0, looks: 0, fired: 0, missed: 0 };
    const failures: string[] = [];
    for (const timeZone of zones) {
      for (const { fromMs, toMs } of tier === "commit" ? daysOfChanges(timeZone) : [year]) {
        const table = minuteTable(timeZone, fromMs, toMs);
        counts.minutes += table.length;
        for (const cron of crons) {
          const times = expectedTimes(cron, table, fromMs);
          const name = `"${cron}" in ${timeZone}`;
          counts.times += times.length;
          failures.push(...differences(name, scheduleOf(sourceOf(cron, timeZone), undefined), times, { fromMs, toMs }));
          for (let at = seed; at < seed + wanted; at++) {
            const source = sourceOf(cron, timeZone, at);
            const { looks, fired, missed, difference } = lookAtTimes(source, times, fromMs, toMs, seededRandom(at));
            counts.looks += looks;
            counts.fired += fired;
            counts.missed += missed;
            if (difference !== undefined) failures.push(`Seed ${at}: ${name}, ${source.catchUp}: ${difference}`);
          }
        }
      }
      counts.zones += 1;
      counts.schedules += crons.length;
      report(`schedule-year: ${timeZone}, ${failures.length} failures`);
    }
    return { counts, failures };
  },
};

function sourceOf(cron: string, timeZone: string, seed = 0): ScheduleSource {
  const policies: readonly CatchUp[] = ["latest", "all", "none"];
  return {
    kind: "schedule",
    cron,
    timeZone,
    startsAt: null,
    endsAt: null,
    spread: seed % 2 === 0 ? "PT0S" : "PT15M",
    catchUp: policies[seed % policies.length] ?? "latest",
    catchUpWithin: seed % 5 === 0 ? "P3D" : "PT24H",
  };
}

/** The differences of the times that are found by looking forward, by looking back, and by counting. */
function differences(
  name: string,
  schedule: Schedule,
  times: readonly number[],
  { fromMs, toMs }: Period,
): readonly string[] {
  const found: string[] = [];
  let forward = schedule.after(fromMs - 1);
  for (const time of times) {
    if (forward !== time) return [`${name}: ${iso(forward)} in place of ${iso(time)}`];
    forward = schedule.after(time);
  }
  if (forward !== undefined && forward < toMs) found.push(`${name}: ${iso(forward)} is added`);
  let backward = schedule.before(toMs);
  for (const time of times.toReversed()) {
    if (backward !== time) return [...found, `${name}: looking back, ${iso(backward)} in place of ${iso(time)}`];
    backward = schedule.before(time);
  }
  if (backward !== undefined && backward >= fromMs) found.push(`${name}: looking back, ${iso(backward)} is added`);
  const count = schedule.count(fromMs - 1, toMs - 1);
  if (count !== times.length) found.push(`${name}: ${count} times are counted in place of ${times.length}`);
  return found;
}

/** The days around each change of a zone's clock, and a week for a zone without any. */
function daysOfChanges(timeZone: string): readonly Period[] {
  const offsets: number[] = [];
  for (let ms = year.fromMs; ms <= year.toMs; ms += dayMs) {
    const [ordinal = 0] = minuteTable(timeZone, ms, ms + 60_000);
    offsets.push(ordinal - ms / 60_000);
  }
  const changes = offsets.flatMap((offset, day) =>
    day > 0 && offset !== offsets[day - 1] ? [year.fromMs + day * dayMs] : [],
  );
  if (changes.length === 0) return [{ fromMs: year.fromMs, toMs: year.fromMs + 7 * dayMs }];
  return changes.map((change) => ({ fromMs: change - 2 * dayMs, toMs: change + dayMs }));
}

function iso(ms: number | undefined): string {
  return ms === undefined ? "no time" : new Date(ms).toISOString();
}
