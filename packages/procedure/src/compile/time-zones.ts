import type { Report } from "./report.ts";

/** Whether names are of time zones that days can be counted in; what is none is reported at its place. */
export interface TimeZones {
  check(path: string, name: string): void;
}

/** Looking a name up takes a while; whoever got more than this wrong has another problem. */
const maxUnknown = 20;

/** Names of the IANA database begin with a letter; the standard also knows offsets, which have no summer time. */
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
