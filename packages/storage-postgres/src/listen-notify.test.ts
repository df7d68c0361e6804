import type { Change } from "@procedo/storage";
import { expect, it } from "vitest";
import { decodeNotification, encodeNotification } from "./listen-notify.ts";

const changes: readonly Change[] = [
  { type: "claimable" },
  { type: "notified", runId: "run 1" },
  { type: "settled", runId: 'run-"2"', scope: { workspace: "acme & sons", environment: "live" } },
  { type: "settled", runId: "run 3", scope: { workspace: "acme & sons", environment: "live" } },
  { type: "settled", runId: "run 3", scope: { workspace: "acme & sons", environment: "sandbox" } },
  { type: "settled", runId: "run 3", scope: { workspace: "", environment: "sandbox" } },
  { type: "deliverable" },
  { type: "fireable" },
  { type: "invocable", connectionId: "connection 1" },
  { type: "invocable", connectionId: "connection-2" },
  { type: "record_changed", kind: "webhook", id: "whk 1", environment: "live" },
  { type: "record_changed", kind: "connection", id: "con-1", environment: undefined },
  { type: "record_changed", kind: "connection", id: "con-1", environment: "sandbox" },
  { type: "default_changed", environment: "sandbox" },
  { type: "session_ended", personId: "per 1" },
  { type: "written", scope: { workspace: "acme & sons", environment: "live" } },
  { type: "written", scope: { workspace: "", environment: "sandbox" } },
  { type: "resync" },
];

it("a notification contains each change once", () => {
  const { from, changes: reported } = decodeNotification(encodeNotification("node-1", [...changes, ...changes]));
  expect(from).toBe("node-1");
  expect(reported).toHaveLength(changes.length);
  expect(reported).toEqual(expect.arrayContaining([...changes]));
});

it("a notification that is too long for Postgres becomes a resync", () => {
  const scope = { workspace: "acme", environment: "live" } as const;
  const many = Array.from({ length: 400 }, (_, index): Change => {
    return { type: "settled", runId: `é${index}`.repeat(6), scope };
  });
  expect(decodeNotification(encodeNotification("node-1", many))).toEqual({
    from: "node-1",
    changes: [{ type: "resync" }],
  });
  expect(decodeNotification(encodeNotification("node-1", many.slice(0, 100))).changes).toHaveLength(100);
});

it.each([
  "",
  "{",
  "null",
  '{"a":1}',
  '["node-1","of tomorrow"]',
  '["node-1","settledrun-1"]',
  '["node-1",7]',
  '["node-1","default_changed staging"]',
  '["node-1","record_changed staging webhook whk-1"]',
  '["node-1","record_changed live webhook"]',
  '["node-1","settled run-1"]',
  '["node-1","written live"]',
  '["node-1","written staging acme"]',
  '["node-1",[]]',
  '["node-1",["live acme"]]',
  '["node-1",["live","run-1"]]',
  '["node-1",["staging acme","run-1"]]',
])("an unreadable notification counts as a resync: %s", (payload) => {
  expect(decodeNotification(payload).changes).toEqual([{ type: "resync" }]);
});
