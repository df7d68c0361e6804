import type { Change } from "@procedo/storage";
import { expect, it } from "vitest";
import { decodeNotice, encodeNotice } from "./notices.ts";

const changes: readonly Change[] = [
  { type: "claimable" },
  { type: "notified", runId: "run 1" },
  { type: "settled", runId: 'run-"2"' },
  { type: "deliverable" },
  { type: "invocable", connectionId: "connection 1" },
  { type: "invocable", connectionId: "connection-2" },
  { type: "record_changed", kind: "webhook", id: "whk 1", environment: "live" },
  { type: "record_changed", kind: "connection", id: "con-1", environment: undefined },
  { type: "record_changed", kind: "connection", id: "con-1", environment: "sandbox" },
  { type: "default_changed", environment: "sandbox" },
  { type: "elsewhere" },
];

it("a notice tells each change once", () => {
  const { from, changes: told } = decodeNotice(encodeNotice("node-1", [...changes, ...changes]));
  expect(from).toBe("node-1");
  expect(told).toHaveLength(changes.length);
  expect(told).toEqual(expect.arrayContaining([...changes]));
});

it("a notice that would be too long for Postgres tells that anything may have changed", () => {
  const many = Array.from({ length: 400 }, (_, index): Change => ({ type: "settled", runId: `é${index}`.repeat(6) }));
  expect(decodeNotice(encodeNotice("node-1", many))).toEqual({ from: "node-1", changes: [{ type: "elsewhere" }] });
  expect(decodeNotice(encodeNotice("node-1", many.slice(0, 100))).changes).toHaveLength(100);
});

it.each([
  "",
  "{",
  "null",
  '{"a":1}',
  '["node-1","of tomorrow"]',
  '["node-1","settledrun-1"]',
  '["node-1",7]',
  '["node-1","managed"]',
  '["node-1","default_changed staging"]',
  '["node-1","record_changed staging webhook whk-1"]',
  '["node-1","record_changed live webhook"]',
])("a notice that cannot be read may mean anything: %s", (payload) => {
  expect(decodeNotice(payload).changes).toEqual([{ type: "elsewhere" }]);
});
