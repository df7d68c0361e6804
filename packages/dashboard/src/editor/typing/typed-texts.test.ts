import type { ProcedureDocument } from "@procedo/contract";
import { expect, test } from "vitest";
import {
  documentPlace,
  stepPlace,
  unfinishedTexts,
  withoutTextsAt,
  withRenamedSteps,
  withText,
  type TypedText,
} from "./typed-texts.ts";
import { unfinishedProblems } from "./unfinished-problems.ts";

const document = {
  schemaVersion: 1,
  procedureId: "payment",
  name: "Payment",
  input: { type: "object" },
  nodes: [
    { id: "start", kind: "start" },
    { id: "pay", kind: "tool_call", connection: "bank", action: "pay" },
    { id: "large", kind: "condition", branches: [{ name: "yes", when: "true" }, { name: "no/maybe" }] },
  ],
  edges: [],
} as unknown as ProcedureDocument;
const half: TypedText = { text: "{", isUnfinished: true };
const texts = {
  [documentPlace]: half,
  "/input": half,
  [stepPlace("pay", ["arguments", "lines"])]: half,
  [stepPlace("payee", ["data"])]: half,
  [stepPlace("large", ["branches", "no/maybe", "name"])]: half,
  [stepPlace("pay", ["maxCalls"])]: { text: "2 ", over: 2, isUnfinished: false },
};

test("an unfinished text counts wherever it is, but for one of a step that is gone", () => {
  expect(Object.keys(unfinishedTexts(texts, document))).toEqual([
    "",
    "/input",
    "/nodes/pay/arguments/lines",
    "/nodes/large/branches/no~1maybe/name",
  ]);
  expect(Object.keys(unfinishedTexts(texts, undefined))).toContain("/nodes/payee/data");
});

test("texts go with their fields, and move with the step that gets another id", () => {
  expect(withText(texts, "/input", undefined)).not.toHaveProperty("/input");
  expect(withText(texts, "/elsewhere", undefined)).toBe(texts);
  const left = Object.keys(withoutTextsAt(texts, stepPlace("pay")));
  expect(left).toContain("/nodes/payee/data");
  expect(left.filter((place) => place.startsWith("/nodes/pay/"))).toEqual([]);
  const before = { nodes: document.nodes.map(({ id }) => ({ id })) };
  const renamed = { nodes: before.nodes.with(1, { id: "paid" }) };
  const moved = withRenamedSteps(texts, before, renamed);
  expect(moved).toMatchObject({ "/nodes/paid/arguments/lines": half, "/nodes/payee/data": half });
  expect(withRenamedSteps(moved, renamed, before)).toEqual(texts);
  expect(withRenamedSteps(texts, before, { nodes: before.nodes.toReversed() })).toEqual(texts);
  expect(withRenamedSteps(texts, before, { nodes: "none" })).toEqual(texts);
});

test("an unfinished text is a problem at its present place", () => {
  const problems = unfinishedProblems(unfinishedTexts(texts, document), document);
  expect(problems.map(({ path, nodeId, severity }) => [path, nodeId, severity])).toEqual([
    ["", undefined, "error"],
    ["/input", undefined, "error"],
    ["/nodes/1/arguments/lines", "pay", "error"],
    ["/nodes/2/branches/1/name", "large", "error"],
  ]);
});
