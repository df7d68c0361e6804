/* The filters of the list of changes. They are a part of the page's address. */
import type { Environment } from "../api/models.ts";
import { searchReader } from "../values/search-params.ts";
import { nextDay, readDay, startOfDay, type TimeZone } from "../values/time.ts";

export interface AuditFilters {
  /** Whose changes are shown, beside those of the workspace. */
  readonly environment?: Environment;
  readonly action?: string;
  readonly person?: string;
  readonly subject?: string;
  /** First and last day, as a date field writes them. */
  readonly from?: string;
  readonly to?: string;
}

const texts = ["action", "person", "subject"] as const;
const days = ["from", "to"] as const;

/** Reads the filters of an address. Values that are not valid are left out. */
export const readAuditFilters = searchReader<AuditFilters>(["environment", ...texts, ...days], (search) => {
  const { environment } = search;
  const given = texts.flatMap((name) => {
    const value = search[name];
    return typeof value === "string" && value.trim() !== "" ? [[name, value.trim()]] : [];
  });
  const givenDays = days.flatMap((name) => {
    const day = readDay(search[name]);
    return day === undefined ? [] : [[name, day]];
  });
  return {
    ...(environment === "sandbox" || environment === "live" ? { environment } : {}),
    ...(Object.fromEntries([...given, ...givenDays]) as Omit<AuditFilters, "environment">),
  };
});

/** Whether any filter beside the environment is set. */
export function hasFilters(filters: AuditFilters): boolean {
  return [...texts, ...days].some((name) => filters[name] !== undefined);
}

/** The parameters of the request. Days begin and end in the reader's zone. */
export function auditQuery(
  { action, person, subject, from, to }: AuditFilters,
  timeZone: TimeZone,
): { readonly action?: string; readonly person?: string; readonly subject?: string; from?: string; to?: string } {
  return {
    ...(action !== undefined && { action }),
    ...(person !== undefined && { person }),
    ...(subject !== undefined && { subject }),
    ...(from !== undefined && { from: startOfDay(from, timeZone) }),
    ...(to !== undefined && { to: startOfDay(nextDay(to), timeZone) }),
  };
}
