import type { ProcedureDocument } from "@procedo/contract";
import { LARGE_AMOUNT } from "./payment.ts";

/** The connection through which the workloads' tools are called. */
export const CONNECTION = "bench";

const text = { type: "string", maxLength: 500 };

/** The JSON Schema of `PaymentInput`, against which every run's data is validated. */
const input: ProcedureDocument["input"] = {
  type: "object",
  required: ["vendorId", "amount", "currency", "invoice", "remittance", "costCentre"],
  additionalProperties: false,
  properties: {
    vendorId: text,
    amount: { type: "integer", minimum: 1 },
    currency: { type: "string", enum: ["EUR", "USD"] },
    invoice: {
      type: "object",
      required: ["number", "issuedOn", "dueOn"],
      additionalProperties: false,
      properties: { number: text, issuedOn: text, dueOn: text },
    },
    remittance: text,
    costCentre: text,
  },
};

/** A node that calls the tool with its own name with the complete input. */
export function toolCall(id: string): ProcedureDocument["nodes"][number] {
  return { id, kind: "tool_call", connection: CONNECTION, action: id, arguments: { request: "{{ input }}" } };
}

/** W1: start, tool A, condition, tool B, tool C, end. */
export const w1Document: ProcedureDocument = {
  schemaVersion: 1,
  procedureId: "bench-w1",
  name: "W1",
  input,
  nodes: [
    { id: "start", kind: "start" },
    toolCall("a"),
    {
      id: "size",
      kind: "condition",
      branches: [{ name: "large", when: `input.amount > ${LARGE_AMOUNT}` }],
      otherwise: "small",
    },
    toolCall("b"),
    toolCall("c"),
    { id: "done", kind: "end", output: { result: "{{ nodes.c.output }}" } },
    { id: "small", kind: "end", output: { result: "{{ nodes.a.output }}" } },
  ],
  edges: [
    { from: "start", to: "a" },
    { from: "a", to: "size" },
    { from: "size", branch: "large", to: "b" },
    { from: "size", branch: "small", to: "small" },
    { from: "b", to: "c" },
    { from: "c", to: "done" },
  ],
};

/** W2: start, tool A, a review at which the run waits, tool B, end. */
export const w2Document: ProcedureDocument = {
  schemaVersion: 1,
  procedureId: "bench-w2",
  name: "W2",
  input,
  nodes: [
    { id: "start", kind: "start" },
    toolCall("a"),
    { id: "review", kind: "human_review", title: "Pay?", data: { request: "{{ input }}" } },
    toolCall("b"),
    { id: "done", kind: "end", output: { result: "{{ nodes.b.output }}" } },
  ],
  edges: [
    { from: "start", to: "a" },
    { from: "a", to: "review" },
    { from: "review", to: "b" },
    { from: "b", to: "done" },
  ],
};
