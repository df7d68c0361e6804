import type { ProcedureDocument } from "@procedo/contract";

/** A procedure as it begins: a start that leads to an end. */
export function newDocument(procedureId: string, name: string): ProcedureDocument {
  return {
    schemaVersion: 1,
    procedureId,
    name,
    input: { type: "object", properties: {} },
    nodes: [
      { id: "start", kind: "start" },
      { id: "done", kind: "end" },
    ],
    edges: [{ from: "start", to: "done" }],
  };
}
