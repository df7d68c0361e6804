import type { ProcedureDocument } from "@procedo/contract";

/**
 * The shape of a run: plain; with replies that need corrections; with a guard or a sum that opens a review; with a
 * vendor that the bank refuses; with a model that is busy at first.
 */
export type LoopShape = "plain" | "repair" | "guard" | "over" | "refused" | "busy";

export interface LoopInput {
  /** A number that is unique among the runs of a database. */
  readonly n: number;
  readonly shape: LoopShape;
  /** The amount that the agent pays. @defaultValue follows from the number and the shape */
  readonly amount?: number;
}

/** A larger amount needs an approval. */
export const guardedAbove = 1_000;
/** The limit of a run's sum, unless the guard opened a review. */
export const sumOfRun = 500;
/** Maximum number of entries that are booked in one visit. */
export const mostBookings = 3;

export const blockedVendor = "ven_blocked";

const retry = { maxAttempts: 20, initialDelayMs: 40, maxDelayMs: 200 };

/**
 * A question; a payment whose amount an agent proposes, within a guard and two sums; and up to three entries that an
 * agent books in turn. Only the payment is bounded, so its reply, its reservation and its intent become durable
 * separately. For an entry, one row contains all of them.
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
