import { expect, test } from "vitest";
import { isSame } from "../values/is-same.ts";
import { entryReader } from "./record-entries.ts";
import { rows, runId } from "./record-rows.fixture.ts";

test("the entries of each type are read from the bodies, with what these leave out", async () => {
  const read = entryReader(runId);
  for (const row of rows) expect(await read(row)).toEqual(row.entries);
});

test("a body that refers to what no entry before holds has no such value", async () => {
  const [entry] = await entryReader(runId)({ seq: 1, body: `[1,{"type":"recovered","refs":{"/a":"9/0/b"}}]` });
  expect(isSame(entry, { type: "recovered", atMs: 1 })).toBe(false);
});
