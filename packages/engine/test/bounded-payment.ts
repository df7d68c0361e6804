import type { ProcedureNode, SumLimit, ToolCallNode } from "@procedo/contract";
import type { Engine } from "@procedo/engine";
import type { Harness } from "./harness.ts";
import { call } from "./documents.ts";

export const sandbox = { workspace: "default", environment: "sandbox" } as const;

/** At most 100 per day in Berlin; the harness's clock starts on 2 January 2026. */
export const perDay: SumLimit = {
  name: "daily",
  sum: "args.amount",
  atMost: 100,
  per: "day",
  timeZone: "Europe/Berlin",
};

export const perRun: SumLimit = { name: "total", sum: "args.amount", atMost: 100, per: "run" };

/** The limited payment: recipient and amount come from the run's data. */
export function pay(sumLimits: readonly SumLimit[], settings: Partial<ToolCallNode> = {}): ProcedureNode {
  return call("pay", "pay", {
    title: "Pay",
    arguments: { to: "acme", amount: "{{ input.amount }}" },
    sumLimits: [...sumLimits],
    ...settings,
  });
}

/** The total of a sum limit of `pay`: of a day, or of a run. */
export async function takenOf({ storage }: Pick<Harness, "storage">, name: string, span: string): Promise<number> {
  const [taken] = await storage.budgets.taken(sandbox, [`sum/p/pay/${name}/${span}`]);
  return taken ?? NaN;
}

/** The total of the daily limit, over all days. */
export async function takenOfDays(harness: Pick<Harness, "storage">): Promise<number> {
  return (await takenOf(harness, "daily", today)) + (await takenOf(harness, "daily", tomorrow));
}

/** The total according to the run's record: all calls whose latest attempt did not certainly fail. */
export async function takenByRecord(engine: Engine, runId: string): Promise<number> {
  const rows = await engine.runs.journal({ environment: "sandbox", runId });
  const taken = new Map<string, number>();
  for (const entry of rows.flatMap(({ entries }) => entries)) {
    if (entry.type !== "intent" && entry.type !== "outcome") continue;
    const call = `${entry.nodeId}/${entry.visit}/${entry.call}`;
    if (entry.type === "intent") taken.set(call, entry.frozen.args["amount"] as number);
    else if (entry.result.status === "error") taken.delete(call);
  }
  return [...taken.values()].reduce((sum, one) => sum + one, 0);
}

export const today = "day/2026-01-02";
export const tomorrow = "day/2026-01-03";
