import type { JsonValue, ProcedureDocument, ProcedureNode } from "@procedo/contract";
import { jsonPointer } from "@procedo/contract/syntax";
import type { DocumentEdit, PathPart } from "../document/document-edit.ts";
import type { FieldMessages } from "../problems/shown-problems.ts";

/** A path to a field of a step. */
export type FieldPath = readonly [string, ...PathPart[]];

/** A step in the inspector: the document that it belongs to, its problems, and how it is changed. */
export interface StepContext<Node extends ProcedureNode = ProcedureNode> {
  readonly document: ProcedureDocument;
  readonly node: Node;
  /** Makes edits as one act. */
  readonly edit: (...edits: readonly DocumentEdit[]) => void;
  /** Ends typing in a field: the next change is an act of its own. */
  readonly endAct: () => void;
  /** The problems and the warnings at a field, as sentences. */
  readonly messagesAt: (pointer: string) => FieldMessages;
}

/** The place of a field of the inspector in its step. */
export interface FieldBinding {
  readonly step: StepContext;
  readonly path: FieldPath;
}

export function pointerOf(path: FieldPath): string {
  return jsonPointer(path);
}

/** The value of a field; `undefined` if the step has none. */
export function valueAt({ step, path }: FieldBinding): JsonValue | undefined {
  let value: unknown = step.node;
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Readonly<Record<PathPart, unknown>>)[part];
  }
  return value as JsonValue | undefined;
}

export function setField({ step, path }: FieldBinding, value: JsonValue | undefined): void {
  step.edit({ kind: "set_field", nodeId: step.node.id, path, value });
}
