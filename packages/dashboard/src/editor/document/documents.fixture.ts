import type { ProcedureDocument } from "@procedo/contract";
import * as fc from "fast-check";
import type { AddedKind, DocumentEdit } from "./document-edit.ts";
import { freeId } from "./node-ids.ts";
import { waysOf, type Place } from "./ways.ts";

/** A payment that a person approves above a limit: all five kinds of steps, and every place that refers to one. */
export const payment: ProcedureDocument = {
  schemaVersion: 1,
  procedureId: "payment",
  name: "Payment",
  input: { type: "object", properties: { amount: { type: "integer" } } },
  nodes: [
    { id: "start", kind: "start" },
    {
      id: "size",
      kind: "condition",
      branches: [{ name: "large", when: "input.amount > 1000" }],
      otherwise: "small",
    },
    {
      id: "approve",
      kind: "human_review",
      title: "Pay {{ input.amount }} after {{ nodes.size.output.branch }}?",
      data: { branch: "{{ nodes.size.output.branch }}" },
      covers: "pay",
    },
    {
      id: "pay",
      kind: "tool_call",
      connection: "bank",
      action: "pay",
      arguments: { amount: "{{ input.amount }}", note: '{{ nodes["approve"].output.note }}' },
      guards: [{ check: "args.amount > 0 && nodes.size.output.branch != ''", otherwise: "fail" }],
      review: { excludeApproversOf: ["approve"] },
      emit: { name: "paid", data: { id: "{{ nodes.pay.output.id }}" } },
    },
    { id: "done", kind: "end", output: { id: "{{ nodes.pay.output.id }}" } },
  ],
  edges: [
    { from: "start", to: "size" },
    { from: "size", to: "approve", branch: "large" },
    { from: "size", to: "pay", branch: "small" },
    { from: "approve", to: "pay" },
    { from: "pay", to: "done" },
  ],
};

/** Numbers from which each edit of a sequence is made, so that it fits the document that it meets. */
export const choices = fc.array(fc.record({ act: fc.nat(10), one: fc.nat(), other: fc.nat(), text: fc.string() }), {
  maxLength: 30,
});

export type Choice = typeof choices extends fc.Arbitrary<readonly (infer One)[]> ? One : never;

/** An edit that the page could make of the document. */
export function editFor(document: ProcedureDocument, { act, one, other, text }: Choice): DocumentEdit {
  const { nodes } = document;
  const node = pick(nodes, one);
  const nodeId = node.id;
  const places = nodes.flatMap((from) => waysOf(from).map(({ branch }): Place => ({ nodeId: from.id, branch })));
  const after = pick(places, other);
  const branch = waysOf(node)[0]?.branch ?? "none";
  switch (act) {
    case 0:
    case 1: {
      const step = pick<AddedKind>(["tool_call", "condition", "human_review", "end"], one);
      return { kind: "add_step", step, nodeId: freeId(document, text), title: text, after };
    }
    case 2:
      return { kind: "delete_step", nodeId };
    case 3:
      return { kind: "move_step", nodeId, after };
    case 4:
      return { kind: "connect", from: after, to: other % 5 === 0 ? undefined : nodeId };
    case 5:
      return { kind: "rename_step", nodeId, to: other % 2 === 0 ? freeId(document, text) : text };
    case 6:
      return { kind: "rename_branch", nodeId, branch, to: text };
    case 7:
      return { kind: "delete_branch", nodeId, branch };
    case 8: {
      const path = pick<readonly [string, ...string[]]>(
        [["title"], ["arguments", text], ["retry", "maxAttempts"], ["id"], ["connection"], ["output", "__proto__"]],
        other,
      );
      return { kind: "set_field", nodeId, path, value: pick([text, 3, undefined], one) };
    }
    case 9:
      return { kind: "rename_input", name: Object.keys(propertiesOf(document))[0] ?? "amount", to: text };
    default:
      return { kind: "set_member", path: ["name"], value: pick([text, undefined], one) };
  }
}

function propertiesOf({ input: { properties } }: ProcedureDocument): object {
  return typeof properties === "object" && properties !== null ? properties : {};
}

function pick<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length];
  if (item === undefined && items.length === 0) throw new Error("There is nothing to choose from.");
  return item as T;
}
