const grouped = new Intl.NumberFormat("en-US");

/** A duration for people: `1,000 ms`. */
export function milliseconds(spanMs: number): string {
  return `${grouped.format(spanMs)} ms`;
}
