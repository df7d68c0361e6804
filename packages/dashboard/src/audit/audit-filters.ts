/* The filters of the list of changes. They are a part of the page's address. */
import type { Environment } from "../api/models.ts";
import { startOfDay } from "../values/day.ts";
import type { TimeZone } from "../values/time.ts";

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

const texts = ["action", "person", "subject", "from", "to"] as const;

/** Reads the filters of an address. Values that are not valid are left out. */
export function readAuditFilters(search: Readonly<Record<string, unknown>>): AuditFilters {
  const { environment } = search;
  const given = texts.flatMap((name) => {
    const value = search[name];
    return typeof value === "string" && value.trim() !== "" ? [[name, value.trim()]] : [];
  });
  return {
    ...(environment === "sandbox" || environment === "live" ? { environment } : {}),
    ...(Object.fromEntries(given) as Omit<AuditFilters, "environment">),
  };
}

/** Whether any filter beside the environment is set. */
export function hasFilters(filters: AuditFilters): boolean {
  return texts.some((name) => filters[name] !== undefined);
}

/** The parameters of the request. Days begin and end in the reader's zone. */
export function auditQuery(
  { action, person, subject, from, to }: AuditFilters,
  timeZone: TimeZone,
): { readonly action?: string; readonly person?: string; readonly subject?: string; from?: string; to?: string } {
  const fromAt = from === undefined ? undefined : startOfDay(from, timeZone);
  const toAt = to === undefined ? undefined : startOfDay(to, timeZone, 1);
  return {
    ...(action !== undefined && { action }),
    ...(person !== undefined && { person }),
    ...(subject !== undefined && { subject }),
    ...(fromAt !== undefined && { from: fromAt }),
    ...(toAt !== undefined && { to: toAt }),
  };
}
