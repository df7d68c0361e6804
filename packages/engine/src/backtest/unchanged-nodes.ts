import type { JsonValue, ProcedureBudgets, ProcedureDocument } from "@procedo/contract";
import { jsonDifferences } from "../json/json-differences.ts";

/** Returns the ids of the nodes that are unchanged since a version. */
export type UnchangedSince = (version: string, before: ProcedureDocument) => ReadonlySet<string>;

/** A budget of a day in a procedure. */
export type DayBudget = Exclude<keyof NonNullable<ProcedureBudgets["day"]>, "timeZone">;

/** Compares with each version only once, because many runs share a few versions. */
export function createUnchangedSince(after: ProcedureDocument): UnchangedSince {
  const compared = new Map<string, ReadonlySet<string>>();
  return (version, before) => {
    const known = compared.get(version) ?? unchangedNodes(before, after);
    compared.set(version, known);
    return known;
  };
}

/** Whether both versions have the same limit for the same days, or neither has one. */
export function isSameDayBudget(of: DayBudget, before: ProcedureDocument, after: ProcedureDocument): boolean {
  const [was, is] = [before.budgets?.day, after.budgets?.day];
  if (was?.[of] === undefined || is?.[of] === undefined) return was?.[of] === is?.[of];
  return was[of] === is[of] && was.timeZone === is.timeZone;
}

function unchangedNodes(before: ProcedureDocument, after: ProcedureDocument): ReadonlySet<string> {
  const known = new Map(before.nodes.map((node) => [node.id, { ...node } as JsonValue]));
  const same = after.nodes.filter((node) => {
    const was = known.get(node.id);
    return was !== undefined && jsonDifferences(was, { ...node } as JsonValue).length === 0;
  });
  return new Set(same.map(({ id }) => id));
}
