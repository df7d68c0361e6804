import type { ProcedureDocument } from "@procedo/contract";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { choices, editFor, payment } from "../document/documents.fixture.ts";
import { editDocument } from "../document/edit-document.ts";
import { newDocument } from "../../values/new-document.ts";
import { editorOutline, type OutlineRow } from "./editor-outline.ts";

function words(document: ProcedureDocument): readonly string[] {
  return editorOutline(document).map((row) => "  ".repeat(row.level - 1) + wordsOf(row));
}

function wordsOf(row: OutlineRow): string {
  switch (row.kind) {
    case "step":
      return row.node.id;
    case "branch":
      return `${row.place.branch ?? "then"}:${row.when === undefined ? "" : ` ${row.when}`}`;
    case "joins":
      return `${row.isLoop ? "back to" : "joins"} ${row.to.id}`;
    case "nowhere":
      return "nowhere";
    case "unreached":
      return "unreached:";
  }
}

test("branches are children of their condition, and the step where they meet follows it", () => {
  expect(words(payment)).toEqual([
    "start",
    "size",
    "  large: amount is greater than 1,000",
    "    approve",
    "  small: otherwise",
    "pay",
    "done",
  ]);
});

test("a needed way that leads nowhere has a place of its own", () => {
  const open = editDocument(payment, { kind: "connect", from: { nodeId: "size", branch: "small" }, to: undefined });
  expect(words(open)).toEqual([
    "start",
    "size",
    "  large: amount is greater than 1,000",
    "    approve",
    "    pay",
    "    done",
    "  small: otherwise",
    "    nowhere",
  ]);
  const begun = newDocument("new", "New");
  expect(words({ ...begun, edges: [] })).toEqual(["start", "nowhere", "unreached:", "done"]);
});

test("loops lead back, and the ways of a call that failed are branches", () => {
  const looped = editDocument(payment, { kind: "connect", from: { nodeId: "pay", branch: "error" }, to: "size" });
  expect(words(looped)).toEqual([
    "start",
    "size",
    "  large: amount is greater than 1,000",
    "    approve",
    "  small: otherwise",
    "pay",
    "  then:",
    "  error:",
    "    back to size",
    "done",
  ]);
});

test("steps that no run reaches are listed apart, with the steps that they join", () => {
  const apart = editDocument(payment, {
    kind: "connect",
    from: { nodeId: "size", branch: "large" },
    to: "pay",
  });
  expect(words(apart)).toEqual([
    "start",
    "size",
    "  large: amount is greater than 1,000",
    "  small: otherwise",
    "pay",
    "done",
    "unreached:",
    "approve",
    "joins pay",
  ]);
});

test("each step of any document has one row, and each row a key of its own", () => {
  fc.assert(
    fc.property(choices, (made) => {
      const document = made.reduce((before, choice) => editDocument(before, editFor(before, choice)), payment);
      const rows = editorOutline(document);
      const listed = rows.flatMap((row) => (row.kind === "step" ? [row.node.id] : []));
      expect(listed.toSorted()).toEqual(document.nodes.map(({ id }) => id).toSorted());
      expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
      for (const [index, { level }] of rows.entries()) {
        expect(level).toBeLessThanOrEqual(
          (rows[index - 1]?.level ?? 0) + 1 + (rows[index - 1]?.kind === "step" ? 0 : 0),
        );
      }
    }),
  );
});

test("a document from elsewhere with two steps of one id, and edges to unknown steps, has an outline", () => {
  const { nodes, edges } = payment;
  const odd = {
    ...payment,
    nodes: [...nodes, { id: "pay", kind: "end" as const }],
    edges: [...edges, { from: "x", to: "y" }],
  };
  expect(words(odd).filter((word) => word === "pay")).toHaveLength(1);
});
