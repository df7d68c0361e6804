/* The filters of the list of runs. They are a part of the page's address. */
import type { RunStatus } from "../api/models.ts";

export interface RunFilters {
  readonly status?: readonly RunStatus[];
  readonly procedure?: string;
  readonly startedBy?: string;
  readonly from?: string;
  readonly to?: string;
  readonly q?: string;
}

export const runStatuses = [
  "running",
  "awaiting_review",
  "completed",
  "failed",
] as const satisfies readonly RunStatus[];

/** Reads the filters of an address. Values that are not valid are left out. */
export function readRunFilters(search: Readonly<Record<string, unknown>>): RunFilters {
  const given = [search["status"]].flat().filter((status) => (runStatuses as readonly unknown[]).includes(status));
  const texts = Object.fromEntries(
    (["procedure", "startedBy", "from", "to", "q"] as const).flatMap((name) => {
      const value = search[name];
      return typeof value === "string" && value !== "" ? [[name, value]] : [];
    }),
  ) as Omit<RunFilters, "status">;
  return given.length === 0 ? texts : { ...texts, status: given as RunStatus[] };
}

export function hasFilters(filters: RunFilters): boolean {
  return Object.keys(filters).length > 0;
}
