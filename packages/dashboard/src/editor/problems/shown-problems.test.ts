import type { DocumentProblem, ProcedureDocument } from "@procedo/contract";
import { expect, test } from "vitest";
import { payment } from "../document/documents.fixture.ts";
import { editDocument } from "../document/edit-document.ts";
import { expressionProblems } from "./expression-problems.ts";
import { messagesAt, shownProblems } from "./shown-problems.ts";

const withWhen = (when: string): ProcedureDocument =>
  editDocument(payment, { kind: "set_field", nodeId: "size", path: ["branches", 0, "when"], value: when });

test("a faulty expression is found where it stands", () => {
  expect(expressionProblems(payment)).toEqual([]);
  expect(expressionProblems(withWhen("input.amount >"))).toMatchObject([
    { severity: "error", path: "/nodes/1/branches/0/when", nodeId: "size", code: "expression" },
  ]);
  expect(expressionProblems(withWhen(""))).toMatchObject([{ message: "The expression is empty." }]);
  expect(expressionProblems(withWhen("input.amount"))[0]?.message).toContain("true or false");
  expect(expressionProblems(withWhen("nodes.unknown.output == 1"))).toHaveLength(1);
  const path = ["arguments", "note"] as const;
  const template = editDocument(payment, { kind: "set_field", nodeId: "pay", path, value: "{{ input. }}" });
  expect(expressionProblems(template)).toMatchObject([{ path: "/nodes/3/arguments/note" }]);
});

const missing: DocumentProblem = {
  severity: "error",
  path: "/nodes/3/connection",
  code: "unknown_connection",
  message: "There is no connection.",
  nodeId: "pay",
};
const warning: DocumentProblem = { severity: "warning", path: "", code: "shape", message: "Look." };
const expression: DocumentProblem = {
  ...missing,
  path: "/nodes/1/branches/0/when",
  nodeId: "size",
  code: "expression",
};

test("the service's problems are shown for the document that it checked, errors first", () => {
  expect(shownProblems(payment, { document: structuredClone(payment), problems: [warning, missing] })).toEqual([
    missing,
    warning,
  ]);
});

test("while a person types, expressions are checked anew and other problems stay with their steps", () => {
  const found = { document: payment, problems: [missing, expression] };
  const shorter = editDocument(withWhen("true"), { kind: "delete_step", nodeId: "approve" });
  expect(shownProblems(shorter, found)).toMatchObject([
    { code: "expression", path: "/nodes/2/arguments/note" },
    { code: "unknown_connection", path: "/nodes/2/connection" },
  ]);
  expect(shownProblems(editDocument(shorter, { kind: "delete_step", nodeId: "pay" }), found)).toMatchObject([
    { code: "expression", path: "/nodes/2/output/id" },
  ]);
});

test("a field shows the problems at it and below it, and none of a field with a longer name", () => {
  const at = (path: string, message: string): DocumentProblem => ({ ...missing, path, message });
  const problems = [
    at("/nodes/3/arguments/a", "One."),
    at("/nodes/3/arguments/ab", "Two."),
    at("/nodes/3/arguments/a/b", "Three."),
  ];
  expect(messagesAt(problems, "/nodes/3/arguments/a")).toEqual({ problem: "One.\nThree." });
  expect(messagesAt(problems, "/nodes/2/arguments/a")).toEqual({});
});

test("a warning is told apart from a problem, and a message that two checks give is told once", () => {
  const problems = [missing, missing, { ...warning, path: missing.path }];
  expect(messagesAt(problems, "/nodes/3/connection")).toEqual({ problem: "There is no connection.", warning: "Look." });
});
