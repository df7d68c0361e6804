import type { ProcedureDocument } from "@procedo/contract";

/** Records an invoice at once. Its input has every kind of field, and its runs are found by the invoice number. */
export const supplierInvoice: ProcedureDocument = {
  schemaVersion: 1,
  procedureId: "supplier-invoice",
  name: "Supplier invoice",
  description: "Records the invoice of a supplier.",
  reference: "{{ input.invoice }}",
  input: {
    type: "object",
    required: ["invoice", "amount", "currency", "approved"],
    additionalProperties: false,
    properties: {
      invoice: { type: "string", title: "Invoice number", pattern: "^[A-Za-z0-9 =-]+$", maxLength: 40 },
      amount: { type: "integer", title: "Amount", minimum: 1, description: "In minor units: 4500000 is 45,000.00." },
      currency: { enum: ["EUR", "USD", "CHF"], title: "Currency", default: "EUR" },
      rate: { type: "number", title: "Exchange rate", exclusiveMinimum: 0 },
      approved: { type: "boolean", title: "Approved" },
      due: { type: "string", format: "date", title: "Due on" },
      receivedAt: { type: "string", format: "date-time", title: "Received at" },
      contact: { type: "string", format: "email", title: "Contact" },
      note: { type: ["string", "null"], title: "Note", maxLength: 500 },
      supplier: { $ref: "#/$defs/supplier", title: "Supplier" },
      lines: {
        type: "array",
        title: "Line",
        maxItems: 3,
        items: {
          type: "object",
          required: ["text", "net"],
          properties: {
            text: { type: "string", title: "Text" },
            net: { type: "integer", title: "Net" },
          },
        },
      },
      payTo: { title: "Pay to", oneOf: [{ type: "string" }, { type: "object", required: ["iban"] }] },
    },
    $defs: {
      supplier: {
        type: "object",
        required: ["name"],
        properties: { name: { type: "string", title: "Name" }, country: { type: "string", title: "Country" } },
      },
    },
  },
  nodes: [
    { id: "start", kind: "start" },
    { id: "recorded", kind: "end", output: { invoice: "{{ input.invoice }}", amount: "{{ input.amount }}" } },
  ],
  edges: [{ from: "start", to: "recorded" }],
};
