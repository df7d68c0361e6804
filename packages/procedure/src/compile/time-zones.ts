import type { Report } from "./report.ts";

/** Checks that names are time zones that define days; reports any other name at its path. */
export interface TimeZones {
  check(path: string, name: string): void;
}

/** Reported names per document: the lookup is slow, and a document with more unknown zones has a larger problem. */
const maxUnknown = 20;

/**
 * Names in the IANA database begin with a letter. The standard also accepts offsets, which have no daylight saving
 * time.
 */
const nameLike = /^[A-Za-z]/;

export function createTimeZones(report: Report): TimeZones {
  const known = new Set<string>();
  let unknown = 0;
  return {
    check(path, name) {
      if (known.has(name) || unknown >= maxUnknown) return;
      if (nameLike.test(name) && isTimeZone(name)) {
        known.add(name);
        return;
      }
      unknown += 1;
      const message = `There is no time zone "${name}"; use a name of the IANA database, such as "Europe/Berlin" or "UTC".`;
      report.error(path, "time_zone", message);
    },
  };
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
