import type { JsonValue, ProcedureBudgets, ProcedureDocument } from "@procedo/contract";
import { jsonDifferences } from "../json/json-differences.ts";

/** Ids of the nodes that are as they were in a version. */
export type UnchangedSince = (version: string, before: ProcedureDocument) => ReadonlySet<string>;

/** What a procedure bounds in a day. */
export type DayBudget = Exclude<keyof NonNullable<ProcedureBudgets["day"]>, "timeZone">;

/** Compares with each version once: a thousand runs are of a few. */
export function createUnchangedSince(after: ProcedureDocument): UnchangedSince {
  const compared = new Map<string, ReadonlySet<string>>();
  return (version, before) => {
    const known = compared.get(version) ?? unchangedNodes(before, after);
    compared.set(version, known);
    return known;
  };
}

/** Whether both versions bound the same days by as much, or neither does. */
export function isSameDayBudget(of: DayBudget, before: ProcedureDocument, after: ProcedureDocument): boolean {
  const [was, is] = [before.budgets?.day, after.budgets?.day];
  if (was?.[of] === undefined || is?.[of] === undefined) return was?.[of] === is?.[of];
  return was[of] === is[of] && was.timeZone === is.timeZone;
}

function unchangedNodes(before: ProcedureDocument, after: ProcedureDocument): ReadonlySet<string> {
  const known = new Map(before.nodes.map((node) => [node.id, node as JsonValue]));
  const same = after.nodes.filter((node) => {
    const was = known.get(node.id);
    return was !== undefined && jsonDifferences(was, node as JsonValue).length === 0;
  });
  return new Set(same.map(({ id }) => id));
}
