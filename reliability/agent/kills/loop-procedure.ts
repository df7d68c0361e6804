import type { ProcedureDocument } from "@procedo/contract";

/**
 * What becomes of a run: nothing special; replies that have to be corrected; a guard or a sum that asks a person; a vendor
 * whom the bank refuses; a model that is busy at first.
 */
export type LoopShape = "plain" | "repair" | "guard" | "over" | "refused" | "busy";

export interface LoopInput {
  /** Different for each run of a database. */
  readonly n: number;
  readonly shape: LoopShape;
  /** What the agent pays. @defaultValue follows from the number and the shape */
  readonly amount?: number;
}

/** More than this is for a person to allow. */
export const guardedAbove = 1_000;
/** Of one run, unless the guard asked about it. */
export const sumOfRun = 500;
/** At most so many entries are booked in one visit. */
export const mostBookings = 3;

export const blockedVendor = "ven_blocked";

const retry = { maxAttempts: 20, initialDelayMs: 40, maxDelayMs: 200 };

/**
 * A question, a payment whose amount an agent proposes, within a guard and two sums, and up to three entries that an agent
 * books one after the other. Only the payment is bounded: its reply, its reservation and its intent become durable one by
 * one, where those of an entry are one row.
 */
export const loopProcedure: ProcedureDocument = {
  schemaVersion: 1,
  procedureId: "loop",
  name: "Loop",
  input: {
    type: "object",
    required: ["n", "shape"],
    properties: { n: { type: "integer", minimum: 1 }, shape: { type: "string" } },
  },
  budgets: { day: { modelCalls: 1_000_000, tokens: 100_000_000, timeZone: "UTC" } },
  nodes: [
    { id: "start", kind: "start" },
    {
      id: "triage",
      kind: "condition",
      question: "Is this to be paid?",
      branches: [{ name: "pay", description: "It is due." }, { name: "drop" }],
    },
    {
      id: "pay",
      kind: "tool_call",
      connection: "bank",
      action: "pay",
      instructions: "Pay what is due.",
      arguments: { vendorId: "{{ input.shape == 'refused' ? 'ven_blocked' : 'ven_acme' }}", currency: "EUR" },
      guards: [{ check: `args.amount <= ${guardedAbove}`, otherwise: "review" }],
      sumLimits: [
        { name: "daily", sum: "args.amount", atMost: 1_000_000_000, per: "day", timeZone: "UTC" },
        {
          name: "run",
          sum: "args.amount",
          when: `args.amount <= ${guardedAbove}`,
          atMost: sumOfRun,
          per: "run",
          otherwise: "review",
        },
      ],
      retry,
      timeoutMs: 2_500,
    },
    {
      id: "split",
      kind: "tool_call",
      connection: "bank",
      action: "book",
      instructions: "Book what was paid.",
      arguments: { batchId: "{{ run.runId }}" },
      maxCalls: mostBookings,
      retry,
      timeoutMs: 2_500,
    },
    { id: "done", kind: "end", output: { booked: "{{ nodes.split.output.calls }}" } },
    { id: "dropped", kind: "end" },
  ],
  edges: [
    { from: "start", to: "triage" },
    { from: "triage", branch: "pay", to: "pay" },
    { from: "triage", branch: "drop", to: "dropped" },
    { from: "pay", to: "split" },
    { from: "pay", branch: "error", to: "split" },
    { from: "split", to: "done" },
  ],
};
