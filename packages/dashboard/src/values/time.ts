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

const units = [
  ["d", 86_400_000],
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
