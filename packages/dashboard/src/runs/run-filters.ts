/* The filters of the list of runs. They are a part of the page's address. */
import type { RunStatus } from "../api/models.ts";
import { searchReader } from "../values/search-params.ts";
import { readDay } from "../values/time.ts";

export interface RunFilters {
  readonly status?: readonly RunStatus[];
  /** Only runs that call for a person. */
  readonly attention?: "true";
  readonly procedure?: string;
  readonly version?: string;
  readonly startedBy?: string;
  /** Only runs that this trigger started. */
  readonly trigger?: string;
  /** First day, in the reader's zone: `2026-11-20`. */
  readonly from?: string;
  /** Last day. */
  readonly to?: string;
  /** An id, or the beginning of a reference. */
  readonly q?: string;
}

export const runStatuses = [
  "running",
  "awaiting_review",
  "completed",
  "failed",
] as const satisfies readonly RunStatus[];

const names = ["status", "attention", "procedure", "version", "startedBy", "trigger", "from", "to", "q"] as const;

/** Reads the filters of an address. Values that are not valid are left out. */
export const readRunFilters = searchReader<RunFilters>(names, (search) => {
  const listed = [search["status"]].flat().flatMap((one) => (typeof one === "string" ? one.split(",") : []));
  const status = runStatuses.filter((one) => listed.includes(one));
  const texts = (["procedure", "version", "startedBy", "trigger", "q"] as const).flatMap(
    (name): readonly [string, string][] => {
      const value = search[name];
      const text = typeof value === "string" ? value.trim() : "";
      return text === "" ? [] : [[name, text]];
    },
  );
  const days = (["from", "to"] as const).flatMap((name): readonly [string, string][] => {
    const day = readDay(search[name]);
    return day === undefined ? [] : [[name, day]];
  });
  return {
    ...(status.length > 0 && { status }),
    ...(search["attention"] === "true" && { attention: "true" }),
    ...Object.fromEntries<string>([...texts, ...days]),
  };
});

export function hasFilters(filters: RunFilters): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}
