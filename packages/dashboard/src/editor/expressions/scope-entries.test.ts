import type { JsonObject, ProcedureDocument } from "@procedo/contract";
import { plainReading } from "@procedo/procedure";
import { expect, test } from "vitest";
import { payment } from "../document/documents.fixture.ts";
import { certainlyBefore } from "./certainly-before.ts";
import { scopeEntries } from "./scope-entries.ts";
import { valueNames } from "../../flowchart/value-names.ts";

const input: JsonObject = {
  type: "object",
  properties: {
    amount: { type: "integer", title: "Amount" },
    "due date": { type: "string", format: "date" },
    supplier: { $ref: "#/$defs/supplier", title: "Supplier" },
    currency: { enum: ["EUR", "USD"] },
    isUrgent: { type: ["boolean", "null"] },
  },
  $defs: { supplier: { type: "object", properties: { country: { type: "string", title: "Country" } } } },
};
const document: ProcedureDocument = { ...payment, input };

test("only steps through which every way leads are certain", () => {
  expect(certainlyBefore(payment, "start")).toEqual([]);
  expect(certainlyBefore(payment, "approve")).toEqual(["start", "size"]);
  // A small payment goes without the approval.
  expect(certainlyBefore(payment, "pay")).toEqual(["start", "size"]);
  expect(certainlyBefore(payment, "done")).toEqual(["start", "size", "pay"]);
});

test("of a step that no way reaches yet, every other step may come before", () => {
  const apart = { ...payment, edges: payment.edges.filter(({ to }) => to !== "done") };
  expect(certainlyBefore(apart, "done")).toEqual(["start", "size", "approve", "pay"]);
});

test("the values of a step have their types and titles, those of the schema and those of results", () => {
  const output = { type: "object", properties: { id: { type: "string" } } };
  const entries = scopeEntries(document, "done", { outputs: new Map([["pay", output]]) });
  expect(entries.map(({ path, type, title }) => `${path} (${type}) ${title}`).slice(0, 10)).toEqual([
    "input.amount (whole number) Amount · Input",
    'input["due date"] (date) Input',
    "input.supplier (object) Supplier · Input",
    "input.supplier.country (text) Country · Input",
    "input.currency (choice) Input",
    "input.isUrgent (yes or no) Input",
    "nodes.size.output.branch (text) Branch of “size”",
    "nodes.pay.output (object) Result of “pay”",
    "nodes.pay.output.id (text) Result of “pay”",
    "run.startedBy (text) Who started the run",
  ]);
});

test("arguments come first where an expression reads them", () => {
  const args = { properties: { amount: { type: "integer" } } };
  expect(scopeEntries(document, "pay", { outputs: new Map(), args })[0]).toMatchObject({ path: "args.amount" });
  expect(scopeEntries(document, "pay", { outputs: new Map(), args: {} })[0]).toMatchObject({ path: "input.amount" });
});

test("a reading names values by their titles, and results by their steps", () => {
  const read = (source: string): string => plainReading(source, valueNames(document));
  expect(read("input.amount > 1000")).toBe("amount is greater than 1,000");
  expect(read('input.supplier.country != "DE"')).toBe("country of supplier is not “DE”");
  expect(read('nodes.size.output.branch == "large"')).toBe("the branch of “size” is “large”");
  expect(read("nodes.pay.output.receipt.id == 'a'")).toBe("id of receipt of “pay” is “a”");
  expect(read("nodes.pay.error.status == 404")).toBe("status of the error of “pay” is 404");
  expect(read("nodes.gone.output == 1")).toBe("nodes.gone.output is 1");
  expect(read("args.amount > 5 && run.startedBy == 'ana'")).toBe(
    "amount of the call is greater than 5 and the starter of the run is “ana”",
  );
});
