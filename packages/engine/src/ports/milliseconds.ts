const grouped = new Intl.NumberFormat("en-US");

/** A span of time as a person reads it: `1,000 ms`. */
export function milliseconds(spanMs: number): string {
  return `${grouped.format(spanMs)} ms`;
}
