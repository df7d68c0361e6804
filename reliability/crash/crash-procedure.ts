import type { ProcedureDocument } from "@procedo/contract";

/** The shape of a run: plain, with a review, with a wait, with a review that expires, or cancelled. */
export type RunShape = "plain" | "review" | "sleep" | "expire" | "cancel";

export interface CrashInput {
  /** The amount that the run pays; it differs for each run. */
  readonly n: number;
  readonly shape: RunShape;
}

/** The timeout of a payment. */
export const paymentTimeoutMs = 800;

const retry = { maxAttempts: 20, initialDelayMs: 40, maxDelayMs: 200 };

function lookUp(id: string): ProcedureDocument["nodes"][number] {
  const call = { connection: "bank", action: "look_up", arguments: { id: "ven_acme" } };
  return { id, kind: "tool_call", ...call, retry };
}

function payment(id: string, action: string): ProcedureDocument["nodes"][number] {
  return {
    id,
    kind: "tool_call",
    connection: "bank",
    action,
    arguments: {
      vendorId: "{{ nodes.vendor.output.id }}",
      amount: "{{ input.n }}",
      currency: "EUR",
      reference: `{{ run.runId }} ${id}`,
    },
    guards: [{ check: "args.amount == input.n", otherwise: "fail" }],
    retry,
    timeoutMs: paymentTimeoutMs,
    emit: { name: `${id}_made`, data: { paymentId: `{{ nodes.${id}.output.id }}` } },
  };
}

/** The same with this timeout of payments. */
export function crashProcedureWith({ paymentTimeoutMs }: { readonly paymentTimeoutMs: number }): ProcedureDocument {
  const { nodes, ...others } = crashProcedure;
  const patient = nodes.map((node) =>
    node.kind === "tool_call" && node.timeoutMs !== undefined ? { ...node, timeoutMs: paymentTimeoutMs } : node,
  );
  return { ...others, nodes: patient };
}

/** Twelve steps with every kind of node and of effect; the run pays its own number once and deposits it once. */
export const crashProcedure: ProcedureDocument = {
  schemaVersion: 1,
  procedureId: "crash",
  name: "Crash",
  input: {
    type: "object",
    required: ["n", "shape"],
    properties: {
      n: { type: "integer", minimum: 1 },
      shape: { enum: ["plain", "review", "sleep", "expire", "cancel"] },
    },
  },
  nodes: [
    { id: "start", kind: "start" },
    lookUp("vendor"),
    {
      id: "route",
      kind: "condition",
      branches: [
        { name: "review", when: "input.shape == 'review' || input.shape == 'cancel'" },
        { name: "sleep", when: "input.shape == 'sleep'" },
        { name: "expire", when: "input.shape == 'expire'" },
      ],
      otherwise: "plain",
    },
    { id: "approve", kind: "human_review", title: "Pay {{ input.n }}?", data: { n: "{{ input.n }}" }, covers: "pay" },
    { id: "hurry", kind: "human_review", title: "Be quick about {{ input.n }}", expiresAfter: "PT0.4S" },
    { id: "nap", kind: "tool_call", connection: "bank", action: "stumble", arguments: {}, retry },
    payment("pay", "pay_once"),
    {
      id: "size",
      kind: "condition",
      branches: [{ name: "even", when: "input.n % 2 == 0" }],
      otherwise: "odd",
    },
    payment("deposit", "pay_idempotent"),
    lookUp("again"),
    { id: "sure", kind: "condition", branches: [{ name: "yes", when: "input.n > 0" }], otherwise: "no" },
    lookUp("last"),
    {
      id: "done",
      kind: "end",
      output: { paymentId: "{{ nodes.pay.output.id }}", depositId: "{{ nodes.deposit.output.id }}" },
    },
    { id: "never", kind: "end" },
  ],
  edges: [
    { from: "start", to: "vendor" },
    { from: "vendor", to: "route" },
    { from: "route", branch: "review", to: "approve" },
    { from: "route", branch: "sleep", to: "nap" },
    { from: "route", branch: "expire", to: "hurry" },
    { from: "route", branch: "plain", to: "pay" },
    { from: "approve", to: "pay" },
    { from: "hurry", to: "pay" },
    { from: "nap", to: "pay" },
    { from: "pay", to: "size" },
    { from: "size", branch: "even", to: "deposit" },
    { from: "size", branch: "odd", to: "deposit" },
    { from: "deposit", to: "again" },
    { from: "again", to: "sure" },
    { from: "sure", branch: "yes", to: "last" },
    { from: "sure", branch: "no", to: "never" },
    { from: "last", to: "done" },
  ],
};
