import { expect, test } from "vitest";
import { entryReader, isSame } from "./record-entries.ts";
import { rows, runId } from "./record-rows.fixture.ts";

test("the entries of each type are read from the bodies, with what these leave out", async () => {
  const read = entryReader(runId);
  for (const row of rows) expect(await read(row)).toEqual(row.entries);
});

test("a body that refers to what no entry before holds has no such value", async () => {
  const [entry] = await entryReader(runId)({ seq: 1, body: `[1,{"type":"recovered","refs":{"/a":"9/0/b"}}]` });
  expect(isSame(entry, { type: "recovered", atMs: 1 })).toBe(false);
});

test.each<[unknown, unknown, boolean]>([
  [{ a: 1, b: [null] }, { b: [null], a: 1 }, true],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: 1, b: undefined }, { a: 1 }, false],
  [{ toString: 1 }, { valueOf: 1 }, false],
  [[1, 2], [2, 1], false],
  [[1], { 0: 1 }, false],
  [[], null, false],
  ["1", 1, false],
])("%j and %j: the same is %s", (one, other, same) => {
  expect([isSame(one, other), isSame(other, one)]).toEqual([same, same]);
});
