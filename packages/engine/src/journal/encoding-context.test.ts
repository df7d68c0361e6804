import type { Entry, FrozenCall, Intent, Outcome } from "@procedo/procedure";
import { expect, test } from "vitest";
import { callKey } from "./effect-keys.ts";
import { createRowCodec } from "./row-codec.ts";

const runId = "run_1";
const atMs = 1_790_000_000_000;
const pay = { connection: "bank", connectionId: "con_1", action: "pay", revision: "r1", effect: "once" } as const;

function intent(nodeId: string, afterMs: number, frozen: Partial<FrozenCall> = {}, attempt = 1): Intent {
  const numbers = { visit: 1, call: 1, attempt };
  const key = callKey(runId, nodeId, 1, 1);
  const times = { atMs: atMs + afterMs, sendByMs: atMs + afterMs + 5_000, timeoutMs: 60_000 };
  return { type: "intent", nodeId, ...numbers, key, frozen: { ...pay, args: {}, ...frozen }, ...times };
}

function answered(nodeId: string, afterMs: number, attempt = 1): Outcome {
  const result = { status: "ok", output: 1 } as const;
  return { type: "outcome", atMs: atMs + afterMs, nodeId, visit: 1, call: 1, attempt, result };
}

function written(...rows: readonly (readonly Entry[])[]): readonly string[] {
  const writer = createRowCodec(runId);
  const reader = createRowCodec(runId);
  return rows.map((entries, index) => {
    const body = writer.encode(index + 1, entries);
    expect(reader.decode(index + 1, body)).toEqual(entries);
    return body;
  });
}

test("a row states its time once, and each entry the milliseconds since the one before", () => {
  const rows = [answered("x", 0), answered("x", 0), answered("x", 7), answered("x", 4)];
  expect(written([intent("x", 0)], rows)[1]).toBe(
    `[${atMs},{"type":"outcome","/result/output":1},{"type":"outcome","/result/output":1},` +
      `{"type":"outcome","afterMs":7,"/result/output":1},{"type":"outcome","afterMs":-3,"/result/output":1}]`,
  );
});

test("an outcome omits the call of the latest intent, also where that stands in an earlier row", () => {
  const [, own, another] = written([intent("a", 0)], [answered("a", 1)], [answered("b", 2), answered("a", 2, 2)]);
  expect(own).toBe(`[${atMs + 1},{"type":"outcome","/result/output":1}]`);
  expect(another).toContain(`{"type":"outcome","nodeId":"b",`);
  expect(another).toContain(`{"type":"outcome","attempt":2,`);
});

test("a call omits a connection, action and effect that equal those of the call before", () => {
  const [, same, action, effect, connection, id] = written(
    [intent("a", 0)],
    [intent("a", 1, {}, 2)],
    [intent("b", 2, { action: "book", revision: "r2" })],
    [intent("c", 3, { action: "book", revision: "r3", effect: "read" })],
    [intent("d", 4, { connection: "ledger", connectionId: "ledger", action: "book", revision: "r3", effect: "read" })],
    [intent("e", 5, { connection: "ledger", connectionId: "con_2", action: "book", revision: "r3", effect: "read" })],
  ).map((body) => body.slice(body.indexOf('"nodeId"')));
  expect(same).toBe(`"nodeId":"a","attempt":2,"/frozen/args":{}}]`);
  expect(action).toBe(`"nodeId":"b","frozen":{"action":"book","revision":"r2"},"/frozen/args":{}}]`);
  expect(effect).toBe(`"nodeId":"c","frozen":{"revision":"r3","effect":"read"},"/frozen/args":{}}]`);
  expect(connection).toBe(`"nodeId":"d","frozen":{"connection":"ledger"},"/frozen/args":{}}]`);
  expect(id).toBe(`"nodeId":"e","frozen":{"connectionId":"con_2"},"/frozen/args":{}}]`);
});

test("each dispatched call states that it is dispatched", () => {
  const [, again] = written([intent("a", 0, { dispatched: true })], [intent("b", 1, { dispatched: true })]);
  expect(again).toContain(`"frozen":{"dispatched":true}`);
  written([intent("a", 0, { dispatched: true })], [intent("b", 1)]);
});

test("a row that is encoded again does not rely on its former entries", () => {
  const writer = createRowCodec(runId);
  const reader = createRowCodec(runId);
  reader.decode(1, writer.encode(1, [intent("a", 0)]));
  writer.encode(2, [intent("b", 1, { connection: "ledger", connectionId: "con_2" })]);
  const entries = [answered("a", 2), intent("c", 2)];
  expect(reader.decode(2, writer.encode(2, entries))).toEqual(entries);
});

test("a row that omits a fact which no earlier row states is an error", () => {
  const [, outcome, call] = written([intent("a", 0)], [answered("a", 1)], [intent("b", 2)]);
  expect(() => createRowCodec(runId).decode(2, outcome ?? "")).toThrow(/"outcome" omits "nodeId"/);
  expect(() => createRowCodec(runId).decode(3, call ?? "")).toThrow(/"intent" omits "connection"/);
});

test("three calls, a branch and an end take less than 910 bytes beside user data", () => {
  const facts = { runId, procedureId: "payments", procedureVersion: "v1", environment: "sandbox" } as const;
  const input = { memo: "m".repeat(500) };
  const output = (nodeId: string) => ({ text: nodeId.repeat(300) });
  const started = { ...facts, createdAt: new Date(atMs).toISOString(), startedBy: "alice" };
  const call = (nodeId: string, afterMs: number): Intent =>
    intent(nodeId, afterMs, {
      connection: "tools",
      connectionId: "tools",
      action: nodeId,
      revision: nodeId.repeat(16),
      args: { request: input },
    });
  const ok = (nodeId: string, afterMs: number): Outcome => ({
    ...answered(nodeId, afterMs),
    result: { status: "ok", output: output(nodeId) },
  });
  const last = ok("c", 9);
  const result = last.result.status === "ok" ? last.result.output : null;
  const rows = written(
    [{ type: "started", atMs, input, facts: started }, call("a", 1)],
    [ok("a", 5), { type: "branch_taken", atMs: atMs + 6, nodeId: "size", visit: 1, branch: "large" }, call("b", 6)],
    [ok("b", 7), call("c", 8)],
    [last, { type: "ended", atMs: atMs + 9, nodeId: "done", result: { status: "completed", output: { result } } }],
  );
  const values = [input, output("a"), output("b"), output("c")].map((value) => JSON.stringify(value).length);
  const bytes = rows.reduce((sum, body) => sum + Buffer.byteLength(body), 0);
  expect(bytes - values.reduce((sum, length) => sum + length, 0)).toBeLessThan(910);
});
