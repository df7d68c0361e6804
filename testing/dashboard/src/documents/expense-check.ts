import type { ProcedureDocument } from "@procedo/contract";

/** Asks a person to complete an expense: the approval has outputs. */
export const expenseCheck: ProcedureDocument = {
  schemaVersion: 1,
  procedureId: "expense-check",
  name: "Expense check",
  description: "Asks a person for the cost centre of an expense.",
  input: {
    type: "object",
    required: ["merchant", "amount"],
    additionalProperties: false,
    properties: {
      merchant: { type: "string", title: "Merchant" },
      amount: { type: "integer", minimum: 1, title: "Amount", description: "In cents." },
    },
  },
  nodes: [
    { id: "start", kind: "start" },
    {
      id: "check",
      kind: "human_review",
      title: "Which cost centre pays {{ money(input.amount, 'EUR') }} to {{ input.merchant }}?",
      data: { merchant: "{{ input.merchant }}", amount: "{{ money(input.amount, 'EUR') }}" },
      outputs: {
        type: "object",
        required: ["costCentre", "taxInCents"],
        additionalProperties: false,
        properties: {
          costCentre: { type: "string", enum: ["sales", "travel", "office"], title: "Cost centre" },
          taxInCents: { type: "integer", minimum: 0, title: "Tax", description: "In cents." },
          note: { type: "string", title: "Note" },
        },
      },
    },
    {
      id: "done",
      kind: "end",
      output: { costCentre: "{{ nodes.check.output.costCentre }}", tax: "{{ nodes.check.output.taxInCents }}" },
    },
  ],
  edges: [
    { from: "start", to: "check" },
    { from: "check", to: "done" },
  ],
};
