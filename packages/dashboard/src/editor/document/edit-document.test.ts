import type { JsonObject, ProcedureDocument } from "@procedo/contract";
import { describeChanges } from "@procedo/procedure";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { DocumentEdit } from "./document-edit.ts";
import { choices, editFor, payment } from "./documents.fixture.ts";
import { editDocument } from "./edit-document.ts";
import { newDocument } from "../../values/new-document.ts";
import { freeId, mentionedIds, whyNotId } from "./node-ids.ts";
import { readDocument } from "./read-document.ts";

const begun = newDocument("payment", "Payment");

/** Each way as `pay -error> repair`. */
function ways({ edges }: ProcedureDocument): readonly string[] {
  return edges.map(({ from, to, branch = "" }) => `${from} -${branch}> ${to}`);
}

function edited(document: ProcedureDocument, ...edits: readonly DocumentEdit[]): ProcedureDocument {
  return edits.reduce(editDocument, document);
}

test("a new step comes between a step and the one that followed", () => {
  const after = { nodeId: "start" };
  const added = edited(begun, { kind: "add_step", step: "tool_call", nodeId: "pay", title: "Pay", after });
  expect(ways(added)).toEqual(["start -> pay", "pay -> done"]);
  expect(ways(begun)).toEqual(["start -> done"]);
});

test("both branches of a new condition lead to the step that followed", () => {
  const after = { nodeId: "start" };
  const added = edited(begun, { kind: "add_step", step: "condition", nodeId: "large", title: "Large?", after });
  expect(ways(added)).toEqual(["start -> large", "large -yes> done", "large -no> done"]);
});

test("a new end takes the place of the way on", () => {
  const after = { nodeId: "start" };
  const added = edited(begun, { kind: "add_step", step: "end", nodeId: "refused", title: "Refused", after });
  expect(ways(added)).toEqual(["start -> refused"]);
});

test("a step is not added behind a way that does not exist, or with an id that is taken", () => {
  const add = { kind: "add_step", step: "end", title: "Refused" } as const;
  expect(edited(begun, { ...add, nodeId: "refused", after: { nodeId: "start", branch: "error" } })).toBe(begun);
  expect(edited(begun, { ...add, nodeId: "refused", after: { nodeId: "done" } })).toBe(begun);
  expect(edited(begun, { ...add, nodeId: "done", after: { nodeId: "start" } })).toBe(begun);
});

test("the steps before a deleted step lead on to the one that followed, and the start stays", () => {
  expect(ways(edited(payment, { kind: "delete_step", nodeId: "approve" }))).toEqual([
    "start -> size",
    "size -large> pay",
    "size -small> pay",
    "pay -> done",
  ]);
  expect(edited(payment, { kind: "delete_step", nodeId: "start" })).toBe(payment);
});

test("a step that is moved leaves no gap", () => {
  const moved = edited(payment, { kind: "move_step", nodeId: "approve", after: { nodeId: "pay" } });
  expect(ways(moved)).toEqual([
    "start -> size",
    "size -large> pay",
    "size -small> pay",
    "approve -> done",
    "pay -> approve",
  ]);
  expect(edited(payment, { kind: "move_step", nodeId: "approve", after: { nodeId: "size", branch: "large" } })).toBe(
    payment,
  );
});

test("a way is connected, led elsewhere and taken away; never to the start", () => {
  const error = { nodeId: "pay", branch: "error" };
  const connected = edited(payment, { kind: "connect", from: error, to: "approve" });
  expect(ways(connected)).toContain("pay -error> approve");
  expect(ways(edited(connected, { kind: "connect", from: error, to: "done" }))).toContain("pay -error> done");
  expect(edited(connected, { kind: "connect", from: error, to: undefined })).toEqual(payment);
  expect(edited(payment, { kind: "connect", from: error, to: "start" })).toBe(payment);
});

test("a step gets another id in every expression, template, review and edge that refers to it", () => {
  const renamed = edited(
    payment,
    { kind: "rename_step", nodeId: "size", to: "limit" },
    { kind: "rename_step", nodeId: "approve", to: "release" },
    { kind: "rename_step", nodeId: "pay", to: "transfer" },
  );
  expect([...mentionedIds(renamed)]).toEqual(["start", "limit", "release", "transfer", "done"]);
  expect(JSON.stringify(renamed)).not.toMatch(/nodes\W+(size|approve|pay)\b/);
  expect(describeChanges(payment, renamed).map(({ kind }) => kind)).toEqual([
    "node_renamed",
    "node_renamed",
    "node_renamed",
  ]);
});

test("a branch gets another name at its edge too, and is taken away with its edge", () => {
  const renamed = edited(
    payment,
    { kind: "rename_branch", nodeId: "size", branch: "large", to: "above" },
    { kind: "rename_branch", nodeId: "size", branch: "small", to: "below" },
  );
  expect(ways(renamed).slice(1, 3)).toEqual(["size -above> approve", "size -below> pay"]);
  expect(edited(payment, { kind: "rename_branch", nodeId: "size", branch: "large", to: "small" })).toBe(payment);
  const path = ["branches", 1] as const;
  const more = edited(payment, { kind: "set_field", nodeId: "size", path, value: { name: "huge", when: "false" } });
  expect(ways(edited(more, { kind: "delete_branch", nodeId: "size", branch: "large" }))).not.toContain(
    "size -large> approve",
  );
});

test("a branch and a field of the input are renamed where expressions read them, and back again", () => {
  const path = ["guards", 0, "check"] as const;
  const check = 'nodes.size.output.branch == "large" && args.amount == input.amount';
  const reading = edited(payment, { kind: "set_field", nodeId: "pay", path, value: check });
  const renamed = edited(
    reading,
    { kind: "rename_branch", nodeId: "size", branch: "large", to: "above" },
    { kind: "rename_input", name: "amount", to: "total" },
  );
  expect(renamed.nodes[3]).toMatchObject({
    guards: [{ check: 'nodes.size.output.branch == "above" && args.amount == input.total' }],
    arguments: { amount: "{{ input.total }}" },
  });
  expect(renamed.nodes[1]).toMatchObject({ branches: [{ name: "above", when: "input.total > 1000" }] });
  expect(renamed.input).toEqual({ type: "object", properties: { total: { type: "integer" } } });
  const back = edited(
    renamed,
    { kind: "rename_branch", nodeId: "size", branch: "above", to: "large" },
    { kind: "rename_input", name: "total", to: "amount" },
  );
  expect(back).toEqual(reading);
  expect(edited(reading, { kind: "rename_input", name: "payee", to: "total" })).toBe(reading);
});

test("a field that is removed leaves no empty object behind", () => {
  const path = ["retry", "maxAttempts"] as const;
  const set = edited(payment, { kind: "set_field", nodeId: "pay", path, value: 3 });
  expect(set.nodes[3]).toMatchObject({ retry: { maxAttempts: 3 } });
  expect(edited(set, { kind: "set_field", nodeId: "pay", path, value: undefined })).toEqual(payment);
});

test("any sequence of edits keeps a document that reads as a draft", () => {
  fc.assert(
    fc.property(choices, (made) => {
      let document: ProcedureDocument = payment;
      for (const choice of made) {
        const before = JSON.stringify(document);
        const after = editDocument(document, editFor(document, choice));
        expect(JSON.stringify(document)).toBe(before);
        expect(readDocument(JSON.parse(JSON.stringify(after)) as JsonObject)).toEqual(after);
        const known = new Set(after.nodes.map(({ id }) => id));
        expect(after.edges.filter(({ from, to }) => !known.has(from) || !known.has(to))).toEqual([]);
        expect(after.nodes.filter(({ kind }) => kind === "start")).toHaveLength(1);
        document = after;
      }
    }),
  );
});

test("a rename in any document leaves no reference to the former id, and is taken back by its reverse", () => {
  fc.assert(
    fc.property(choices, fc.nat(), fc.string(), (made, one, title) => {
      const document = made.reduce((before, choice) => editDocument(before, editFor(before, choice)), payment);
      const { id: nodeId } = document.nodes[one % document.nodes.length] ?? { id: "start" };
      const to = freeId(document, title);
      const renamed = editDocument(document, { kind: "rename_step", nodeId, to });
      expect(mentionedIds(renamed)).not.toContain(nodeId);
      expect(editDocument(renamed, { kind: "rename_step", nodeId: to, to: nodeId })).toEqual(document);
    }),
  );
});

test("an id is free and allowed, for any title", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (title) => {
      expect(whyNotId(payment, "", freeId(payment, title))).toBeUndefined();
    }),
  );
  expect(freeId(payment, "Approve")).toBe("approve_2");
  expect(freeId(payment, "1st check: Größe")).toBe("step_1st_check_gro_e");
  expect(whyNotId(payment, "pay", "approve")).toBe("Another step has the id “approve”. Choose another one.");
  expect(whyNotId(payment, "pay", "toString")).toBe("“toString” is a reserved name. Choose another id.");
});
