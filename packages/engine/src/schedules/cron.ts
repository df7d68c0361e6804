import { Cron as Croner } from "croner";

/** Times of an expression, in milliseconds. */
export interface Times {
  /** The first one after a moment; `undefined` if there is none. */
  after(ms: number): number | undefined;
  /** The last one before a moment; `undefined` if there is none. */
  before(ms: number): number | undefined;
}

/** A cron expression of five fields. */
export interface Cron {
  /** Whether its hour field begins with `*`: it counts elapsed time, and does not name times of the day. */
  readonly countsElapsedTime: boolean;
  /**
   * Its times on a clock that is never changed. They are given as the milliseconds at which UTC clocks show them.
   */
  readonly times: Times;
  /** Midnights of the days that its last three fields match, on a clock that is never changed. */
  readonly days: Times;
  /** Whether it matches every day. */
  readonly isDaily: boolean;
  /** The times of such a day, in minutes after midnight, ascending. */
  minutesOfDay(): readonly number[];
}

/** The result of reading an expression. `message` is a predicate: "has 6 fields …". */
export type CronResult = { readonly ok: true; readonly cron: Cron } | { readonly ok: false; readonly message: string };

/** Reads a cron expression of five fields. */
export function parseCron(text: string): CronResult {
  const fields = text.trim().split(/\s+/);
  const [minute = "", hour = "", ...dayFields] = fields;
  const fault = formFault(text, fields);
  if (fault !== undefined) return { ok: false, message: fault };
  try {
    const times = timesOf(fields.join(" "));
    return {
      ok: true,
      cron: {
        countsElapsedTime: hour.startsWith("*"),
        times,
        days: timesOf(["0", "0", ...dayFields].join(" ")),
        isDaily: dayFields.every((field) => field === "*"),
        minutesOfDay: () => {
          const minutes = between(timesOf(`${minute} * * * *`), 0, hourMs);
          return between(timesOf(`0 ${hour} * * *`), 0, dayMs).flatMap((hourOf) =>
            minutes.map((minuteOf) => (hourOf + minuteOf) / minuteMs),
          );
        },
      },
    };
  } catch (error) {
    return { ok: false, message: `is not a cron expression: ${reasonOf(error)}` };
  }
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** The fault of an expression that croner would read in another way, or refuse without a useful reason. */
function formFault(text: string, fields: readonly string[]): string | undefined {
  const form = 'write minute, hour, day of the month, month and day of the week, such as "30 6 * * 1-5"';
  if (text.trim() === "") return `is empty: ${form}`;
  if (text.trim().startsWith("@")) return `is a nickname: ${form}`;
  if (/^\d{4}-\d\d-\d\d/.test(text)) return `is a date, and a schedule repeats: ${form}`;
  if (fields.length === 6 || fields.length === 7) {
    return `has ${fields.length} fields, but a schedule fires at most once a minute and has no seconds or years: ${form}`;
  }
  if (fields.length !== 5) return `has ${fields.length} ${fields.length === 1 ? "field" : "fields"}: ${form}`;
  const [strange] = /[^0-9A-Za-z*,/#-]/u.exec(fields.join("")) ?? [];
  if (strange !== undefined) {
    return `has the character ${JSON.stringify(strange)}; fields contain digits, names, "*", ",", "-", "/", "L", "W" and "#"`;
  }
  return undefined;
}

/**
 * Croner knows no zone here: with a fixed offset it only computes with dates, ten times as fast.
 *
 * @throws Error of croner for an invalid pattern
 */
function timesOf(pattern: string): Times {
  const croner = new Croner(pattern, { mode: "5-part", utcOffset: 0, paused: true });
  return {
    after: (ms) => croner.nextRun(new Date(ms))?.getTime(),
    before: (ms) => croner.previousRuns(1, new Date(ms))[0]?.getTime(),
  };
}

function between(times: Times, fromMs: number, toMs: number): readonly number[] {
  const found: number[] = [];
  for (let ms = times.after(fromMs - 1); ms !== undefined && ms < toMs; ms = times.after(ms)) found.push(ms);
  return found;
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/^CronPattern: /, "").replace(/\.$/, "");
}
