import type { ProcedureBudgets, SumLimit } from "@procedo/contract";
import { jsonPointer } from "@procedo/contract/syntax";
import type { Report } from "./report.ts";
import type { TimeZones } from "./time-zones.ts";

/** Checks the budgets that all runs of a procedure share. */
export function checkBudgets(budgets: ProcedureBudgets | undefined, zones: TimeZones): void {
  if (budgets?.day !== undefined) zones.check(jsonPointer(["budgets", "day", "timeZone"]), budgets.day.timeZone);
}

/** Checks the sum limits of a node. The compilation of their expressions checks the types that these yield. */
export function checkSumLimits(
  nodePath: string,
  node: { readonly id: string; readonly sumLimits?: readonly SumLimit[] | undefined },
  broken: ReadonlySet<string>,
  zones: TimeZones,
  report: Report,
): void {
  const names = new Set<string>();
  for (const [index, { name, per, timeZone }] of (node.sumLimits ?? []).entries()) {
    const within = jsonPointer(["sumLimits", index]);
    const path = nodePath + within;
    if (broken.has(within)) continue;
    if (names.has(name)) {
      const message = `"${node.id}" has another sum "${name}"; give each its own name.`;
      report.error(path + jsonPointer(["name"]), "node_settings", message);
    }
    names.add(name);
    if (broken.has(`${within}/per`) || broken.has(`${within}/timeZone`)) continue;
    if (per === "day" && timeZone === undefined) {
      const message = `The sum "${name}" of "${node.id}" is per day; add "timeZone", the time zone that defines the day.`;
      report.error(path, "node_settings", message);
    } else if (per === "run" && timeZone !== undefined) {
      const message = `The sum "${name}" of "${node.id}" is per run; remove "timeZone", or set "per" to "day".`;
      report.error(path + jsonPointer(["timeZone"]), "node_settings", message);
    } else if (timeZone !== undefined) {
      zones.check(path + jsonPointer(["timeZone"]), timeZone);
    }
  }
}
