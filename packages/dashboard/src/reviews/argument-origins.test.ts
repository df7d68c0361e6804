import { expect, test } from "vitest";
import { originsOf } from "./argument-origins.ts";

const origins = {
  "/amount": "agent",
  "/currency": "procedure",
  "/vendorId": [{ path: "nodes.invoice.output.vendorId", from: "service" }],
  "/note": [
    { path: "input.note", from: "input" },
    { path: "nodes.text.output", from: "agent" },
  ],
  "/lines/0/sku": "agent",
  "/a~1b": "procedure",
} as const;

test.each([
  ["amount", [{ within: "", words: "written by the agent", isFromModel: true }]],
  ["currency", [{ within: "", words: "fixed by the procedure", isFromModel: false }]],
  ["vendorId", [{ within: "", words: "from nodes.invoice.output.vendorId (answer of a service)", isFromModel: false }]],
  [
    "note",
    [
      {
        within: "",
        words: "from input.note (input of the run), from nodes.text.output (step of an agent)",
        isFromModel: true,
      },
    ],
  ],
  ["lines", [{ within: "/0/sku", words: "written by the agent", isFromModel: true }]],
  ["a/b", [{ within: "", words: "fixed by the procedure", isFromModel: false }]],
  ["am", []],
])("the origin of %s is told in words", (name, told) => {
  expect(originsOf(name, origins)).toEqual(told);
});
