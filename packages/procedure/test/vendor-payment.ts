import type { ProcedureDocument } from "@procedo/contract";
import type { ActionShape, CompileSurroundings } from "@procedo/procedure";

/** The example of the documentation: looks the vendor up, has large payments approved, pays. */
export function vendorPayment(): ProcedureDocument {
  return {
    schemaVersion: 1,
    procedureId: "vendor-payment",
    name: "Vendor payment",
    input: {
      type: "object",
      required: ["vendorId", "amount"],
      properties: { vendorId: { type: "string" }, amount: { type: "integer", minimum: 1 } },
    },
    nodes: [
      { id: "start", kind: "start" },
      {
        id: "vendor",
        kind: "tool_call",
        title: "Look up the vendor",
        connection: "ledger",
        action: "get_vendors_id",
        arguments: { id: "{{ input.vendorId }}" },
      },
      {
        id: "size",
        kind: "condition",
        branches: [{ name: "large", when: "input.amount > 1000000" }],
        otherwise: "normal",
      },
      {
        id: "approve",
        kind: "human_review",
        title: "Pay {{ input.amount }} to {{ nodes.vendor.output.name }}?",
        data: { vendor: "{{ nodes.vendor.output }}", amount: "{{ input.amount }}" },
        covers: "pay",
        reviewers: { roles: ["reviewer"] },
        approvals: 1,
        excludeStarter: true,
        expiresAfter: "P7D",
      },
      {
        id: "pay",
        kind: "tool_call",
        connection: "ledger",
        action: "post_payments",
        arguments: { vendorId: "{{ input.vendorId }}", amount: "{{ input.amount }}" },
        guards: [{ check: "args.amount <= input.amount", otherwise: "fail" }],
        emit: { name: "payment_sent", data: { paymentId: "{{ nodes.pay.output.id }}" } },
      },
      { id: "done", kind: "end", output: { paymentId: "{{ nodes.pay.output.id }}" } },
      { id: "refused", kind: "end", output: { reason: "{{ nodes.pay.error }}" } },
    ],
    edges: [
      { from: "start", to: "vendor" },
      { from: "vendor", to: "size" },
      { from: "size", branch: "large", to: "approve" },
      { from: "size", branch: "normal", to: "pay" },
      { from: "approve", to: "pay" },
      { from: "pay", to: "done" },
      { from: "pay", branch: "error", to: "refused" },
    ],
  };
}

const ledger: Readonly<Record<string, ActionShape>> = {
  get_vendors_id: {
    input: { type: "object", required: ["id"], properties: { id: { type: "string" } } },
    output: { type: "object", properties: { id: { type: "string" }, name: { type: "string" } } },
  },
  post_payments: {
    input: {
      type: "object",
      required: ["vendorId", "amount"],
      additionalProperties: false,
      properties: {
        vendorId: { type: "string" },
        amount: { type: "integer", minimum: 1 },
        currency: { enum: ["EUR", "USD"] },
        lines: {
          type: "array",
          items: { type: "object", required: ["text"], properties: { text: { type: "string", maxLength: 5 } } },
        },
        method: { oneOf: [{ const: "sepa" }, { type: "object", required: ["card"] }] },
      },
    },
    output: { type: "object", properties: { id: { type: "string" } } },
  },
};

/** A workspace with the connection `ledger` and no model. */
export const surroundings: CompileSurroundings = {
  model: false,
  connectionMissing: "error",
  action: (connection, action) =>
    connection === "ledger"
      ? (ledger[action] ?? { missing: "action", known: Object.keys(ledger) })
      : { missing: "connection", known: ["ledger"] },
};
