import type { JsonValue, ProcedureDocument, ProcedureNode } from "@procedo/contract";
import type { Place } from "./ways.ts";

/** A kind of step that a person adds. The start is there from the beginning. */
export type AddedKind = Exclude<ProcedureNode["kind"], "start">;

/** A part of a path into a document: the name of a member, or the index of an item. */
export type PathPart = string | number;

/** An act of a person on a document. Every change goes through one of these: by mouse, by key and as JSON. */
export type DocumentEdit =
  | {
      /** Adds a step behind a way out of another one. The steps that followed come after it. */
      readonly kind: "add_step";
      readonly step: AddedKind;
      readonly nodeId: string;
      readonly title: string;
      readonly after: Place;
    }
  | {
      /** Takes a step out. The steps before it lead on to the one that followed. */
      readonly kind: "delete_step";
      readonly nodeId: string;
    }
  | {
      /** Takes a step out, and puts it behind a way out of another one. */
      readonly kind: "move_step";
      readonly nodeId: string;
      readonly after: Place;
    }
  | {
      /** Lets a way lead to a step, or nowhere. */
      readonly kind: "connect";
      readonly from: Place;
      readonly to: string | undefined;
    }
  | {
      /** Gives a step another id, also wherever the document refers to it. */
      readonly kind: "rename_step";
      readonly nodeId: string;
      readonly to: string;
    }
  | {
      /** Gives a branch of a condition another name, also at its edge and where expressions compare it. */
      readonly kind: "rename_branch";
      readonly nodeId: string;
      readonly branch: string;
      readonly to: string;
    }
  | {
      /** Gives a field of the input another name, also where expressions read it. */
      readonly kind: "rename_input";
      readonly name: string;
      readonly to: string;
    }
  | {
      /** Takes a branch of a condition away, with its edge. */
      readonly kind: "delete_branch";
      readonly nodeId: string;
      readonly branch: string;
    }
  | {
      /** Sets a field of a step; `undefined` removes it. */
      readonly kind: "set_field";
      readonly nodeId: string;
      readonly path: readonly [string, ...PathPart[]];
      readonly value: JsonValue | undefined;
    }
  | {
      /** Sets a member of the document that belongs to no step; `undefined` removes it. */
      readonly kind: "set_member";
      readonly path: readonly ["name" | "description" | "input" | "reference"] | readonly ["budgets", ...PathPart[]];
      readonly value: JsonValue | undefined;
    }
  | {
      /** Puts another document in the place of the whole. */
      readonly kind: "replace";
      readonly document: ProcedureDocument;
    };

/** Names the act to which an edit belongs. Edits of one act that follow each other are undone together. */
export function actOf(edit: DocumentEdit): string | undefined {
  if (edit.kind === "set_field") return JSON.stringify([edit.nodeId, ...edit.path]);
  if (edit.kind === "set_member") return JSON.stringify([null, ...edit.path]);
  return undefined;
}
