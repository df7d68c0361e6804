import type { ProcedureDocument } from "@procedo/contract";

/** An agent reads the amount of an invoice and proposes its payment. Large amounts are held back for a reviewer. */
export const invoice: ProcedureDocument = {
  schemaVersion: 1,
  procedureId: "invoice",
  name: "Invoice payment",
  description: "An agent reads an invoice and proposes its payment. Large amounts wait for a reviewer.",
  reference: "{{ input.number }}",
  input: {
    type: "object",
    required: ["payee", "number", "text"],
    additionalProperties: false,
    properties: {
      payee: { type: "string", title: "Payee" },
      number: { type: "string", title: "Invoice number" },
      text: { type: "string", title: "Text of the invoice" },
    },
  },
  nodes: [
    { id: "start", kind: "start" },
    {
      id: "pay",
      kind: "tool_call",
      title: "Pay the invoice",
      connection: "bank",
      action: "pay",
      arguments: { payee: "{{ input.payee }}" },
      instructions: "Pay the invoice in cents, and not more than it asks for.",
      guards: [{ check: "args.amount <= 100000", otherwise: "review" }],
    },
    { id: "done", kind: "end", output: { receipt: "{{ nodes.pay.output.receipt }}" } },
  ],
  edges: [
    { from: "start", to: "pay" },
    { from: "pay", to: "done" },
  ],
};
