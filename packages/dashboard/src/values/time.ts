/* Times and durations as texts. Each time names its zone. */

/** The zone in which the reader sees times: an IANA name. */
export type TimeZone = string;

/** `20 Nov 2026, 14:44:42 CET`. */
export function formatMoment(iso: string, timeZone: TimeZone): string {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
    timeZoneName: "short",
  }).formatToParts(new Date(iso));
  const of = (type: Intl.DateTimeFormatPartTypes): string => parts.find((part) => part.type === type)?.value ?? "";
  return `${of("day")} ${of("month")} ${of("year")}, ${of("hour")}:${of("minute")}:${of("second")} ${of("timeZoneName")}`;
}

/** The milliseconds of a day of 24 hours. */
export const dayMs = 86_400_000;

const units = [
  ["d", dayMs],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
] as const;

/** At most two units: `2 d 4 h`, `3 min 20 s`, `1.4 s`, `320 ms`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 10_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  const first = units.findIndex(([, size]) => ms >= size);
  const [name, size] = units[first] ?? units[3];
  const count = Math.floor(ms / size);
  const next = units[first + 1];
  const rest = next === undefined ? 0 : Math.floor((ms - count * size) / next[1]);
  return rest === 0 || next === undefined ? `${count} ${name}` : `${count} ${name} ${rest} ${next[0]}`;
}

/** `just now`, `5 min ago`, `3 d ago`. */
export function formatAge(iso: string, nowMs: number): string {
  const ms = nowMs - Date.parse(iso);
  if (ms < 5_000) return "just now";
  const [name, size] = units.find(([, unit]) => ms >= unit) ?? units[3];
  return `${Math.floor(ms / size)} ${name} ago`;
}

/** `in 5 min`; `now` once it has passed. */
export function formatUntil(iso: string, nowMs: number): string {
  const ms = Date.parse(iso) - nowMs;
  return ms <= 0 ? "now" : `in ${formatDuration(ms)}`;
}

/** The day of a date or timestamp: `2026-11-20`. `undefined` for what is none, and for years that no calendar field needs. */
export function readDay(value: unknown): string | undefined {
  const day = typeof value === "string" ? value.trim().slice(0, 10) : "";
  if (!/^[12]\d{3}-\d{2}-\d{2}$/.test(day)) return undefined;
  // A parser takes 31 February as 3 March.
  const parsedMs = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(parsedMs) && new Date(parsedMs).toISOString().startsWith(day) ? day : undefined;
}

/** The moment at which a day (`2026-11-20`) begins in a zone. After a night without midnight, its first moment. */
export function startOfDay(day: string, timeZone: TimeZone): string {
  return momentOf(`${day}T00:00`, timeZone);
}

/** The moment at which the clocks of a zone show a time: `2026-11-20T14:30`. One that they skip is the first after it. */
export function momentOf(wallTime: string, timeZone: TimeZone): string {
  const readingMs = Date.parse(`${wallTime}Z`);
  // The offset at the guessed moment may differ from that at the right one, around a change of the clocks.
  const guessMs = readingMs - offsetMs(readingMs, timeZone);
  const exactMs = readingMs - offsetMs(guessMs, timeZone);
  return new Date(Math.max(guessMs, exactMs)).toISOString();
}

/** The time that the clocks of a zone show at a moment, to the minute: `2026-11-20T14:30`. */
export function wallTimeOf(iso: string, timeZone: TimeZone): string {
  const atMs = Date.parse(iso);
  return new Date(atMs + offsetMs(atMs, timeZone)).toISOString().slice(0, 16);
}

/** The day after a day: `2026-11-21`. */
export function nextDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + dayMs).toISOString().slice(0, 10);
}

/** How far the clocks of a zone are ahead of UTC at a moment. */
function offsetMs(atMs: number, timeZone: TimeZone): number {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  }).formatToParts(atMs);
  const of = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.find((part) => part.type === type)?.value);
  const localMs = Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"), of("second"));
  return localMs - Math.floor(atMs / 1_000) * 1_000;
}
