import { expect, test } from "vitest";
import { comparedMembers } from "./version-differences.ts";

test("members that differ come first, in the order of the versions", () => {
  expect(comparedMembers({ payee: "Acme", amount: 5, note: "x" }, { payee: "Acme", amount: 6, urgent: true })).toEqual([
    { name: "amount", before: 5, after: 6, hasChanged: true },
    { name: "note", before: "x", after: undefined, hasChanged: true },
    { name: "urgent", before: undefined, after: true, hasChanged: true },
    { name: "payee", before: "Acme", after: "Acme", hasChanged: false },
  ]);
});

test("names of every object are names of members", () => {
  expect(comparedMembers({}, JSON.parse('{"__proto__":1,"toString":2}') as Record<string, number>)).toEqual([
    { name: "__proto__", before: undefined, after: 1, hasChanged: true },
    { name: "toString", before: undefined, after: 2, hasChanged: true },
  ]);
});
