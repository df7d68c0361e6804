/**
 * Reads `Retry-After` (RFC 9110, 10.2.3): seconds or a date; `undefined` for anything else and for what is over. Pure.
 */
export function retryAfterMs(value: string | null, nowMs: number): number | undefined {
  const text = value?.trim() ?? "";
  if (/^\d+$/.test(text)) return positive(Number(text) * 1_000);
  // A date has the name of its day; `Date.parse` also reads numbers and much else.
  return /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? positive(Date.parse(text) - nowMs) : undefined;
}

function positive(delayMs: number): number | undefined {
  return delayMs > 0 ? delayMs : undefined;
}
