import type { ProcedureDocument } from "@procedo/contract";

/**
 * Transfers an amount through the clearing house. Large ones need two approvals, and a guard holds those to the payee
 * `New payee` back. The payees `Lost answer` and `Lost request` leave the outcome unknown.
 */
export const transfer: ProcedureDocument = {
  schemaVersion: 1,
  procedureId: "transfer",
  name: "Transfer",
  description: "Transfers an amount through the clearing house. Large amounts need two approvals.",
  reference: "{{ input.invoice }}",
  input: {
    type: "object",
    required: ["payee", "amount"],
    additionalProperties: false,
    properties: {
      payee: { type: "string", title: "Payee" },
      amount: { type: "integer", minimum: 1, title: "Amount", description: "In cents." },
      invoice: { type: "string", title: "Invoice" },
    },
  },
  nodes: [
    { id: "start", kind: "start" },
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
      title: "Transfer {{ money(input.amount, 'EUR') }} to {{ input.payee }}?",
      data: { payee: "{{ input.payee }}", amount: "{{ money(input.amount, 'EUR') }}" },
      covers: "sendLarge",
      reviewers: { roles: ["reviewer"] },
      approvals: 2,
      expiresAfter: "P1D",
    },
    {
      id: "send",
      kind: "tool_call",
      title: "Send the transfer",
      connection: "clearing",
      action: "create_transfer",
      arguments: { payee: "{{ input.payee }}", amount: "{{ input.amount }}", currency: "EUR" },
      guards: [{ check: "args.payee != 'New payee'", otherwise: "review" }],
    },
    {
      id: "sendLarge",
      kind: "tool_call",
      title: "Send the large transfer",
      connection: "clearing",
      action: "create_transfer",
      arguments: { payee: "{{ input.payee }}", amount: "{{ input.amount }}", currency: "EUR" },
    },
    { id: "done", kind: "end" },
  ],
  edges: [
    { from: "start", to: "size" },
    { from: "size", to: "approve", branch: "large" },
    { from: "size", to: "send", branch: "small" },
    { from: "approve", to: "sendLarge" },
    { from: "sendLarge", to: "done" },
    { from: "send", to: "done" },
  ],
};
