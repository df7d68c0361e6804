import type { ProcedureDocument } from "@procedo/contract";

/** Books the lines of a bank statement one after another, in a loop. A line that is busy is tried again later. */
export const statement: ProcedureDocument = {
  schemaVersion: 1,
  procedureId: "statement",
  name: "Bank statement",
  description: "Books the lines of a bank statement one after another.",
  input: {
    type: "object",
    required: ["lines"],
    additionalProperties: false,
    properties: {
      lines: { type: "integer", minimum: 1, title: "Lines" },
      isBusy: { type: "boolean", title: "The ledger is busy" },
    },
  },
  nodes: [
    { id: "start", kind: "start" },
    {
      id: "book",
      kind: "tool_call",
      title: "Book the next line",
      connection: "bank",
      action: "book",
      arguments: { lines: "{{ input.lines }}", isBusy: "{{ input.?isBusy }}" },
      retry: { maxAttempts: 5, initialDelayMs: 60_000 },
    },
    {
      id: "more",
      kind: "condition",
      title: "Are there more lines?",
      branches: [{ name: "yes", when: "nodes.book.output.remaining > 0" }],
      otherwise: "no",
    },
    { id: "done", kind: "end", output: { booked: "{{ nodes.book.output.line }}" } },
  ],
  edges: [
    { from: "start", to: "book" },
    { from: "book", to: "more" },
    { from: "more", to: "book", branch: "yes" },
    { from: "more", to: "done", branch: "no" },
  ],
};
