import type { ScheduleSource } from "@procedo/contract";
import { account, stateFrom } from "../../packages/engine/src/schedules/account.ts";
import { scheduleOf } from "../../packages/engine/src/schedules/schedule.ts";
import type { SeededRandom } from "@procedo-testing/faults";

/** How the times of a schedule were accounted for. */
export interface Looks {
  readonly looks: number;
  readonly fired: number;
  readonly missed: number;
  /** The first difference from the rule; `undefined` if there is none. */
  readonly difference: string | undefined;
}

/**
 * Looks at a schedule now and then, as the engine does, with hours and days between that it was down. Each time of the
 * table has to fire or to be counted as missed, once, as the catch-up rule says.
 */
export function lookAtTimes(
  source: ScheduleSource,
  table: readonly number[],
  fromMs: number,
  toMs: number,
  random: SeededRandom,
): Looks {
  const schedule = scheduleOf(source, "trg_1");
  const windowMs = source.catchUp === "none" ? 60_000 : schedule.catchUpWithinMs;
  const most = source.catchUp === "latest" ? 1 : 100;
  let state = stateFrom(schedule, fromMs);
  let [looks, fired, missed, at] = [0, 0, 0, table.findIndex((time) => time > fromMs)];
  if (at < 0) at = table.length;
  let nowMs = fromMs;
  while (nowMs < toMs - 1) {
    nowMs = Math.min(toMs - 1, nextLook(nowMs, state.dueAtMs ?? toMs, random));
    looks += 1;
    const asOfMs = nowMs - schedule.delayMs;
    const accounted = account(schedule, state, nowMs);
    const due = upTo(table, at, asOfMs);
    const firing = new Set(due.filter((time) => time >= asOfMs - windowMs).slice(-most));
    for (const { scheduledAtMs, skipped } of accounted?.firings ?? []) {
      const count = skipped?.count ?? 1;
      const times = table.slice(at, at + count);
      const isRight =
        times.at(-1) === scheduledAtMs && times.every((time) => firing.has(time) === (skipped === undefined));
      if (!isRight) return { looks, fired, missed, difference: `${iso(scheduledAtMs)} at ${iso(nowMs)}` };
      at += count;
      if (skipped === undefined) fired += 1;
      else missed += count;
    }
    if ((table[at] ?? Infinity) <= asOfMs)
      return { looks, fired, missed, difference: `${iso(table[at] ?? 0)} was left out` };
    state = accounted?.next ?? state;
  }
  return { looks, fired, missed, difference: undefined };
}

/** Mostly when the schedule is due, sometimes late, sometimes before, and now and then after days. */
function nextLook(nowMs: number, dueAtMs: number, random: SeededRandom): number {
  const draw = random.uniform();
  if (draw < 0.9) return Math.max(nowMs + 1, dueAtMs + random.below(2_000));
  if (draw < 0.96) return Math.max(nowMs + 1, dueAtMs + random.below(3_600_000));
  if (draw < 0.99) return nowMs + random.between(1, 3_600_000);
  return nowMs + random.between(1, 3 * 86_400_000);
}

function upTo(table: readonly number[], at: number, untilMs: number): readonly number[] {
  let end = at;
  while ((table[end] ?? Infinity) <= untilMs) end += 1;
  return table.slice(at, end);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
