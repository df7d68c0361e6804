import type { ProcedureDocument } from "@procedo/contract";

/** The limit of a day; a hundred runs propose about twice as much. */
export const atMostPerDay = 10_000;

/** A payment whose amount an agent proposes, bounded by a sum of the day over all nodes. */
export const boundedProcedure: ProcedureDocument = {
  schemaVersion: 1,
  procedureId: "bounded",
  name: "Bounded",
  input: {
    type: "object",
    required: ["n", "shape"],
    properties: { n: { type: "integer" }, shape: { type: "string" }, amount: { type: "integer" } },
  },
  nodes: [
    { id: "start", kind: "start" },
    {
      id: "pay",
      kind: "tool_call",
      connection: "bank",
      action: "pay",
      instructions: "Pay what is due.",
      arguments: { vendorId: "{{ input.shape == 'refused' ? 'ven_blocked' : 'ven_acme' }}", currency: "EUR" },
      sumLimits: [{ name: "daily", sum: "args.amount", atMost: atMostPerDay, per: "day", timeZone: "UTC" }],
      retry: { maxAttempts: 20, initialDelayMs: 40, maxDelayMs: 200 },
      timeoutMs: 800,
    },
    { id: "done", kind: "end" },
  ],
  edges: [
    { from: "start", to: "pay" },
    { from: "pay", to: "done" },
  ],
};
