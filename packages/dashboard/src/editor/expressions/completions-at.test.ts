import { expect, test } from "vitest";
import { completionsAt } from "./completions-at.ts";
import type { ScopeEntry } from "./scope-entries.ts";

const entry = (path: string, title = "Input"): ScopeEntry => ({ path, type: "text", title });
const entries = [
  entry("input.amount"),
  entry("input.payee"),
  entry("input.payee.country", "Country of the payee"),
  entry('input["due date"]'),
  entry("nodes.pay.output", "Result of “Pay the invoice”"),
];

/** Completes at `|`, and returns the texts with each option in its place. */
function completed(given: string, place: "expression" | "template" = "expression", isAsked = false) {
  const cursor = given.indexOf("|");
  const text = given.replace("|", "");
  const found = completionsAt(text, cursor, entries, place, isAsked);
  return found?.options.map((option) => text.slice(0, found.from) + option.text + text.slice(found.to));
}

test("a path that is being typed is completed at the cursor", () => {
  expect(completed("input.am|")).toEqual(["input.amount"]);
  expect(completed("1 < input.am| && true")).toEqual(["1 < input.amount && true"]);
  expect(completed("input.?am|")).toEqual(["input.amount"]);
  expect(completed("input.am|ount > 5")).toEqual(["input.amount > 5"]);
  expect(completed("!nod|")).toEqual(["!nodes.pay.output"]);
  expect(completed("input[|")).toEqual(['input["due date"]']);
});

test("a name within a path and a word of a title are found too, after those that begin alike", () => {
  expect(completed("pay|")).toEqual(["input.payee", "input.payee.country", "nodes.pay.output"]);
  expect(completed("invoice|")).toEqual(["nodes.pay.output"]);
  expect(completed("nothing|")).toBeUndefined();
});

test("nothing opens by itself where no path is typed, in a text in quotes, or when the path is complete", () => {
  expect(completed("|")).toBeUndefined();
  expect(completed("input.amount == |")).toBeUndefined();
  expect(completed('input.amount == "inp|')).toBeUndefined();
  expect(completed("'it\\'s inp|")).toBeUndefined();
  expect(completed("input.amount|")).toBeUndefined();
});

test("all values are listed when they are asked for", () => {
  expect(completed("input.amount > |", "expression", true)).toHaveLength(5);
  expect(completed('"text" + |', "expression", true)).toHaveLength(5);
});

test("a template is completed within its braces only", () => {
  expect(completed('{ "a": "inp|" }', "template")).toBeUndefined();
  expect(completed('{ "a": "{{ inp|" }', "template")).toHaveLength(4);
  expect(completed('{ "a": "{{ input.amount }} inp|" }', "template")).toBeUndefined();
  expect(completed('{ "a": "{{ input.am| }}" }', "template")).toEqual(['{ "a": "{{ input.amount }}" }']);
});
