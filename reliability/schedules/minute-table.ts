/** A minute as the clock of a zone shows it. */
export interface Reading {
  readonly month: number;
  readonly day: number;
  /** From 0, Sunday. */
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
  /** Days in its month. */
  readonly monthLength: number;
  /** Counts the minutes of readings, so that they can be compared: the minutes since 1970 on a clock that is never changed. */
  readonly ordinal: number;
}

/** The reading of this many minutes since 1970 on a clock that is never changed. */
export function readingOf(ordinal: number): Reading {
  const date = new Date(ordinal * 60_000);
  const month = date.getUTCMonth() + 1;
  return {
    month,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    monthLength: new Date(Date.UTC(date.getUTCFullYear(), month, 0)).getUTCDate(),
    ordinal,
  };
}

/** Reads the clock of a zone by Intl, at each minute of a period, and returns the ordinals of its readings. */
export function minuteTable(timeZone: string, fromMs: number, toMs: number): Float64Array {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  });
  const table = new Float64Array((toMs - fromMs) / 60_000);
  for (let index = 0; index < table.length; index++) {
    const text = format.format(fromMs + index * 60_000);
    const match = /^(\d\d)\/(\d\d)\/(\d{4}), (\d\d):(\d\d)$/.exec(text);
    if (match === null) throw new Error(`Intl shows the time as "${text}".`);
    const [month = 0, day = 0, year = 0, hour = 0, minute = 0] = match.slice(1).map(Number);
    table[index] = Date.UTC(year, month - 1, day, hour, minute) / 60_000;
  }
  return table;
}
