/** Longer waits are not believed: whoever wrote one did not mean to silence a client for hours. */
const maxRetryAfterMs = 600_000;

/**
 * How long an answer asks to be left alone, in milliseconds (RFC 9110, 10.2.3). A date is measured from the answer's
 * own `Date`, so that this machine's clock does not matter.
 */
export function retryAfterMs(header: (name: string) => string | undefined): number | undefined {
  const value = header("retry-after")?.trim();
  if (value === undefined || value === "") return undefined;
  const isDate = value.endsWith(" GMT");
  if (!isDate && !/^\d{1,9}$/.test(value)) return undefined;
  const waitMs = isDate ? Date.parse(value) - Date.parse(header("date") ?? "") : Number(value) * 1_000;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), maxRetryAfterMs);
}
