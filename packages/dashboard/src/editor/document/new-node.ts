import type { ProcedureNode } from "@procedo/contract";
import type { AddedKind } from "./document-edit.ts";

/** A step as it begins. Fields that a person has still to fill in are empty, and are reported as problems until then. */
export function newNode(kind: AddedKind, id: string, title: string): ProcedureNode {
  switch (kind) {
    case "tool_call":
      return { id, kind, title, connection: "", action: "" };
    case "condition":
      return { id, kind, title, branches: [{ name: "yes", when: "" }], otherwise: "no" };
    case "human_review":
      return { id, kind, title };
    case "end":
      return { id, kind, title };
  }
}
