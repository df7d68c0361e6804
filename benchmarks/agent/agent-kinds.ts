import type { ProcedureDocument, ProcedureNode } from "@procedo/contract";

/** A measured procedure, with or without an agent. */
export interface AgentKind {
  readonly name: string;
  /** Requests to the model per run. */
  readonly turns: number;
  /** Calls per run. */
  readonly calls: number;
  /** The kind with the same calls and without an agent, with which it is compared; `undefined`: it has no agent. */
  readonly beside: string | undefined;
  readonly document: ProcedureDocument;
  /** Number of invalid replies before the first valid one. */
  readonly wrong: number;
}

type ToolCall = Extract<ProcedureNode, { kind: "tool_call" }>;

const instructions = "Pay what the invoice says, and give the invoice's number as the reference.";
const perDay = { name: "daily", sum: "args.amount", atMost: 2 ** 50, per: "day", timeZone: "UTC" } as const;

function pay(id: string, more: Partial<ToolCall>): ProcedureNode {
  return { id, kind: "tool_call", connection: "bank", action: "pay", ...more };
}

const mapped = { arguments: { vendorId: "{{ input.vendorId }}", amount: "{{ input.amount }}", reference: "INV-1" } };
const proposed = { arguments: { vendorId: "{{ input.vendorId }}" }, instructions };

function documentOf(
  name: string,
  nodes: readonly ProcedureNode[],
  more: Partial<ProcedureDocument> = {},
): ProcedureDocument {
  const ids = ["start", ...nodes.map(({ id }) => id), "done"];
  return {
    schemaVersion: 1,
    procedureId: name.replaceAll(" ", "-"),
    name,
    input: {
      type: "object",
      required: ["vendorId", "amount"],
      properties: { vendorId: { type: "string" }, amount: { type: "integer" }, note: { type: "string" } },
    },
    nodes: [{ id: "start", kind: "start" }, ...nodes, { id: "done", kind: "end" }],
    edges: ids.slice(1).map((to, index) => ({ from: ids[index] ?? "", to })),
    ...more,
  };
}

const branches = (names: readonly string[]): ProcedureDocument["edges"] => [
  { from: "start", to: "due" },
  ...names.map((branch) => ({ from: "due", to: "done", branch })),
];

export const agentKinds: readonly AgentKind[] = [
  kind("one call, mapped", { calls: 1 }, [pay("pay", mapped)]),
  kind("one call, proposed", { calls: 1, turns: 1, beside: "one call, mapped" }, [pay("pay", proposed)]),
  kind("corrected twice", { calls: 1, turns: 3, wrong: 2, beside: "one call, mapped" }, [pay("pay", proposed)]),
  kind("three calls, mapped", { calls: 3 }, [pay("pay1", mapped), pay("pay2", mapped), pay("pay3", mapped)]),
  kind("three calls, proposed", { calls: 3, turns: 3, beside: "three calls, mapped" }, [
    pay("pay", { ...proposed, maxCalls: 3 }),
  ]),
  kind("bounded, mapped", { calls: 1 }, [pay("pay", { ...mapped, sumLimits: [perDay] })]),
  kind("bounded, proposed", { calls: 1, turns: 1, beside: "bounded, mapped" }, [
    pay("pay", { ...proposed, sumLimits: [perDay] }),
  ]),
  kind("turns of a day counted", { calls: 1, turns: 1, beside: "one call, mapped" }, [pay("pay", proposed)], {
    budgets: { day: { modelCalls: 10 ** 9, tokens: 10 ** 8, timeZone: "UTC" } },
  }),
  kind(
    "condition",
    { calls: 0 },
    [{ id: "due", kind: "condition", branches: [{ name: "pay", when: "input.amount > 0" }], otherwise: "stop" }],
    { edges: branches(["pay", "stop"]) },
  ),
  kind(
    "question",
    { calls: 0, turns: 1, beside: "condition" },
    [{ id: "due", kind: "condition", question: "Is it due?", branches: [{ name: "pay" }, { name: "stop" }] }],
    { edges: branches(["pay", "stop"]) },
  ),
];

function kind(
  name: string,
  { turns = 0, calls, wrong = 0, beside }: Partial<Omit<AgentKind, "calls">> & Pick<AgentKind, "calls">,
  nodes: readonly ProcedureNode[],
  more: Partial<ProcedureDocument> = {},
): AgentKind {
  return { name, turns, calls, wrong, beside, document: documentOf(name.replace(",", ""), nodes, more) };
}
