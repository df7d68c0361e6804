/** The calendar by which days are counted. */
export interface Calendar {
  /** IANA name of the time zone. */
  readonly timeZone: string;
}

/** Creating a format costs more than a hundred uses. A compiled version keeps its calendars for its lifetime. */
const formats = new WeakMap<Calendar, Intl.DateTimeFormat>();

/** The date in the calendar's zone at a time in milliseconds since the epoch, as `2026-03-29`. */
export function dayAt(calendar: Calendar, atMs: number): string {
  let format = formats.get(calendar);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en", {
      timeZone: calendar.timeZone,
      calendar: "gregory",
      numberingSystem: "latn",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
    });
    formats.set(calendar, format);
  }
  const parts: { [type: string]: string } = {};
  for (const { type, value } of format.formatToParts(atMs)) parts[type] = value;
  const { year = "", month = "", day = "" } = parts;
  return `${year.padStart(4, "0")}-${month}-${day}`;
}
