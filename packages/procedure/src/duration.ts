/** Ten years: a longer deadline is a mistake, and the milliseconds stay far below the limit of exact doubles. */
const longestMs = 3_650 * 86_400_000;

const pattern =
  /^P(?:(\d{1,9})W|(?:(\d{1,9})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:\.\d{1,3})?)S)?)?)$/;

/** The outcome of reading a duration, in milliseconds. */
export type DurationResult =
  | {
      readonly ok: true;
      /** The duration, in milliseconds. */
      readonly ms: number;
    }
  | {
      readonly ok: false;
      /** The fault and its correction. */
      readonly message: string;
    };

/**
 * Reads an ISO 8601 duration of weeks, or of days, hours, minutes and seconds (`P7D`, `PT90M`, `P1DT12H`, `P2W`).
 *
 * A day is 24 hours. Years and months are refused because their length varies. An empty duration and one above ten
 * years are also refused.
 */
export function parseDuration(text: string): DurationResult {
  if (/^P\d+Y/.test(text) || /^P(?:\d+Y)?\d+M/.test(text)) {
    return refused(`"${text}" has years or months, which have no fixed length; write days, such as "P30D".`);
  }
  const match = pattern.exec(text);
  if (match === null || text === "P") {
    return refused(`"${text}" is not an ISO 8601 duration; write for example "P7D", "PT12H" or "PT30M".`);
  }
  const [weeks, days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0));
  const ms = Math.round(
    (weeks ?? 0) * 604_800_000 +
      (days ?? 0) * 86_400_000 +
      (hours ?? 0) * 3_600_000 +
      (minutes ?? 0) * 60_000 +
      (seconds ?? 0) * 1_000,
  );
  if (ms === 0) return refused(`"${text}" has no length; write for example "P7D".`);
  if (ms > longestMs) return refused(`"${text}" is longer than ten years, the longest duration.`);
  return { ok: true, ms };
}

function refused(message: string): DurationResult {
  return { ok: false, message };
}
