import type { ProcedureDocument } from "@procedo/contract";

/** Looks the payee up, asks above a limit, and pays. */
export const vendorPayment: ProcedureDocument = {
  schemaVersion: 1,
  procedureId: "vendor-payment",
  name: "Vendor payment",
  description: "Pays a vendor. Large payments wait for a reviewer.",
  input: {
    type: "object",
    required: ["payee", "amount"],
    additionalProperties: false,
    properties: {
      payee: { type: "string", title: "Payee" },
      amount: { type: "integer", minimum: 1, title: "Amount", description: "In cents." },
      note: { type: "string", title: "Note" },
    },
  },
  nodes: [
    { id: "start", kind: "start" },
    {
      id: "payee",
      kind: "tool_call",
      title: "Look up the payee",
      connection: "bank",
      action: "look",
      arguments: { payee: "{{ input.payee }}" },
    },
    {
      id: "size",
      kind: "condition",
      title: "Is the amount large?",
      branches: [{ name: "large", when: "input.amount > 100000" }],
      otherwise: "small",
    },
    {
      id: "approve",
      kind: "human_review",
      title: "Pay {{ money(input.amount, 'EUR') }} to {{ input.payee }}?",
      data: { payee: "{{ nodes.payee.output }}", amount: "{{ money(input.amount, 'EUR') }}" },
      covers: "pay",
      reviewers: { roles: ["reviewer"] },
      excludeStarter: true,
      expiresAfter: "P7D",
    },
    {
      id: "pay",
      kind: "tool_call",
      title: "Pay the vendor",
      connection: "bank",
      action: "pay",
      arguments: { payee: "{{ input.payee }}", amount: "{{ input.amount }}", currency: "EUR" },
    },
    { id: "done", kind: "end", output: { receipt: "{{ nodes.pay.output.receipt }}" } },
  ],
  edges: [
    { from: "start", to: "payee" },
    { from: "payee", to: "size" },
    { from: "size", to: "approve", branch: "large" },
    { from: "size", to: "pay", branch: "small" },
    { from: "approve", to: "pay" },
    { from: "pay", to: "done" },
  ],
};
