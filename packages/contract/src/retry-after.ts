/**
 * Reads a `Retry-After` header (RFC 9110, 10.2.3), which holds seconds or a date. Pure.
 *
 * @param nowMs - the time from which a date is measured: the answer's own `Date`, where it has one
 * @returns milliseconds, 0 for a date in the past; `undefined` for any other text
 */
export function retryAfterMs(value: string | null | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // A date begins with the name of its day; `Date.parse` also reads numbers and much else.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return undefined;
  const delayMs = Date.parse(text) - nowMs;
  return Number.isNaN(delayMs) ? undefined : Math.max(0, delayMs);
}
