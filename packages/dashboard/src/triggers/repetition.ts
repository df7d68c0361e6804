/* The usual repetitions of a schedule, and the cron expression of each. */

export type RepetitionKind = "minutes" | "hourly" | "daily" | "weekly" | "monthly" | "cron";

/** What a person chooses. Parts that the kind does not use keep what was chosen for another one. */
export interface Repetition {
  readonly kind: RepetitionKind;
  /** Of "minutes": how many. */
  readonly every: string;
  /** Of "hourly": the minute of the hour. */
  readonly minute: string;
  /** Of "daily", "weekly" and "monthly": `06:30`. */
  readonly time: string;
  /** Of "weekly": 0 is Sunday. */
  readonly days: readonly number[];
  /** Of "monthly": 1 to 28, or "L" for the last day. */
  readonly day: string;
  /** Of "cron". */
  readonly cron: string;
}

export const usualRepetition: Repetition = {
  kind: "weekly",
  every: "15",
  minute: "0",
  time: "06:30",
  days: [1, 2, 3, 4, 5],
  day: "1",
  cron: "30 6 * * 1-5",
};

/** Numbers of minutes that divide an hour. */
export const minuteSteps: readonly string[] = ["5", "10", "15", "20", "30"];

export function cronOf({ kind, every, minute, time, days, day, cron }: Repetition): string {
  const [hour = "", minuteOfDay = ""] = time.split(":").map((part) => part.replace(/^0(?=\d)/, ""));
  switch (kind) {
    case "minutes":
      return `*/${every} * * * *`;
    case "hourly":
      return `${minute.trim()} * * * *`;
    case "daily":
      return `${minuteOfDay} ${hour} * * *`;
    case "weekly":
      return `${minuteOfDay} ${hour} * * ${daysText(days)}`;
    case "monthly":
      return `${minuteOfDay} ${hour} ${day} * *`;
    case "cron":
      return cron.trim();
  }
}

/** The repetition of an expression; "cron" for one that no other kind writes. */
export function repetitionOf(cron: string): Repetition {
  const given = { ...usualRepetition, cron };
  const [minute = "", hour = "", day = "", , weekdays = ""] = cron.split(" ");
  const parts = {
    every: minute.slice(2),
    minute,
    time: `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`,
    days: daysOf(weekdays),
    day,
  };
  const isListed = minuteSteps.includes(parts.every);
  const isDay = day === "L" || (/^\d+$/.test(day) && Number(day) >= 1 && Number(day) <= 28);
  const kinds: readonly RepetitionKind[] = [
    ...(isListed ? (["minutes"] as const) : []),
    "hourly",
    "daily",
    ...(parts.days.length > 0 ? (["weekly"] as const) : []),
    ...(isDay ? (["monthly"] as const) : []),
  ];
  const isTime = /^([01]\d|2[0-3]):[0-5]\d$/.test(parts.time);
  const isMinute = /^[1-5]?\d$/.test(minute);
  for (const kind of kinds) {
    if (kind === "hourly" && !isMinute) continue;
    if (!isTime && kind !== "minutes" && kind !== "hourly") continue;
    const found = { ...given, ...used(kind, parts), kind };
    if (cronOf(found) === cron) return found;
  }
  return { ...given, kind: "cron" };
}

type Parts = Pick<Repetition, "every" | "minute" | "time" | "days" | "day">;

function used(kind: RepetitionKind, { every, minute, time, days, day }: Parts): Partial<Repetition> {
  switch (kind) {
    case "minutes":
      return { every };
    case "hourly":
      return { minute };
    case "daily":
      return { time };
    case "weekly":
      return { time, days };
    case "monthly":
      return { time, day };
    case "cron":
      return {};
  }
}

/** `1-5` for the working days, else each day. */
function daysText(days: readonly number[]): string {
  const sorted = [...new Set(days)].toSorted((a, b) => a - b);
  return sorted.join() === "1,2,3,4,5" ? "1-5" : sorted.join(",");
}

function daysOf(text: string): readonly number[] {
  if (text === "1-5") return [1, 2, 3, 4, 5];
  return /^[0-6](,[0-6])*$/.test(text) ? text.split(",").map(Number) : [];
}
