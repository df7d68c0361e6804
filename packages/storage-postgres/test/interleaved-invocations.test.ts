import type { Scope } from "@procedo/storage";
import { beforeEach, expect, it } from "vitest";
import type { PostgresStorage } from "../src/index.ts";
import { useInterleaving, type Interleaving } from "./interleaving.ts";

/** Changes by another node between a call's first read and its locks. */
const scope: Scope = { workspace: "acme", environment: "live" };
const connection = { scope, connectionId: "connection-1" };
const nowMs = 1_790_000_000_000;
const lease = { invocationId: "invocation-1", leaseToken: "token-1" };

let storage: PostgresStorage;
let other: Interleaving["other"];

const harness = useInterleaving({ now: () => nowMs });
const interleaved: Interleaving["interleaved"] = (change, call) => harness().interleaved(change, call);
beforeEach(async () => {
  ({ storage, other } = harness());
  const call = {
    functionName: "screen",
    idempotent: false,
    payload: "{}",
    effectKey: "call",
    deadlineMs: nowMs + 9_000,
  };
  const create = { procedureId: "pay", procedureVersion: "v1", createdAtMs: nowMs, startedBy: "ada" };
  const row = { scope, runId: "run-1", epoch: 1, seq: 1, hash: "hash-1", body: "{}", create };
  const then = { kind: "parked", status: "running", wakeAtMs: call.deadlineMs } as const;
  await storage.runs.commit({ ...row, invocation: { ...connection, ...lease, ...call }, then });
  await storage.invocations.lease({ ...connection, ...lease, functions: ["screen"], limit: 1, leaseMs: 0 });
});

const acknowledge = () => storage.invocations.extend({ ...connection, leases: [lease], leaseMs: 0 });
const settle = () => storage.invocations.settle({ ...connection, ...lease, body: "{}" });
const lapse = () => storage.invocations.expireLeases({ workspace: "acme", limit: 9, body: "{}" });
const withdraw = () => storage.invocations.withdraw({ scope, runId: "run-1", effectKey: "call" });
const inbox = () => storage.inbox.read({ scope, runId: "run-1" });

const endRun = "UPDATE runs SET status = 'completed', wake_at_ms = NULL, ended_at_ms = 1 WHERE run_id = 'run-1'";
const heartbeat = `UPDATE invocations SET status = 'acknowledged', next = 'lapse', lease_ends_at_ms = ${nowMs + 60_000}`;
const handOn = "UPDATE invocations SET status = 'leased', lease_token = 'token-2'";

it("a result whose run has ended meanwhile is not accepted", async () => {
  expect(await interleaved(endRun, settle)).toEqual({ status: "ended" });
  expect(await inbox()).toEqual([]);
});

it("a lapse whose run has ended meanwhile notifies no run", async () => {
  expect(await acknowledge()).toEqual(["held"]);
  expect(await interleaved(endRun, lapse)).toEqual([]);
  expect(await inbox()).toEqual([]);
});

it("a lapse does not apply after a concurrent heartbeat of the client", async () => {
  expect(await acknowledge()).toEqual(["held"]);
  expect(await interleaved(heartbeat, lapse)).toEqual([]);
  expect(await storage.invocations.ofRun({ scope, runId: "run-1" })).toMatchObject([{ status: "acknowledged" }]);
  expect(await inbox()).toEqual([]);
});

it("a withdrawal fails after a concurrent acknowledgement by a client", async () => {
  expect(await interleaved(heartbeat, withdraw)).toBe("acknowledged");
});

it("a result and a heartbeat fail after a concurrent lease of the invocation to another client", async () => {
  expect(await interleaved(handOn, settle)).toEqual({ status: "stale" });
  await other.query("UPDATE invocations SET lease_token = 'token-1'");
  expect(await interleaved(handOn, acknowledge)).toEqual(["lost"]);
});

it("a poll skips a call that another poll has just leased", async () => {
  await other.query(`BEGIN; ${handOn}`);
  const poll = { ...connection, functions: ["screen"], limit: 9, leaseMs: 9, leaseToken: "token-3" };
  expect(await storage.invocations.lease(poll)).toEqual([]);
  await other.query("COMMIT");
});
