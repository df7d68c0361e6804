import { beforeAll, describe, expect, test } from "vitest";
import { base64url, digestOf } from "../values/digest.ts";
import { rows as allTypes } from "./record-rows.fixture.ts";
import { verifyRecord, type RunRecord } from "./verify-record.ts";

const expected = { runId: "run_1", environment: "live" };
const document = `{"name":"Pay"}`;
const bodies = [`[1000,{"type":"started","/input":{"amount":5}}]`, `[2000,{"type":"ended","/result/output":{}}]`];
const started = { type: "started", atMs: 1000, facts: { runId: "run_1", createdAt: "1970-01-01T00:00:01.000Z" } };
const entries = [
  [{ ...started, input: { amount: 5 } }],
  [{ type: "ended", atMs: 2000, result: { status: "completed", output: {} } }],
];
const twoRows = bodies.map((body, index) => ({ seq: index + 1, body, entries: entries[index] ?? [] }));

let keys: CryptoKeyPair;
let key: { kty: "OKP"; crv: "Ed25519"; x: string; kid: string };
let record: RunRecord;

beforeAll(async () => {
  keys = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]);
  const { x = "" } = await crypto.subtle.exportKey("jwk", keys.publicKey);
  const kid = await digestOf(JSON.stringify({ crv: "Ed25519", kty: "OKP", x }));
  key = { kty: "OKP", crv: "Ed25519", x, kid };
  record = await signed({});
});

async function signed(
  changes: object,
  written: readonly Pick<RunRecord["rows"][number], "seq" | "body" | "entries">[] = twoRows,
): Promise<RunRecord> {
  const rows = await Promise.all(
    written.map(async (row) => ({ ...row, hash: `hash-${row.seq}`, digest: await digestOf(row.body) })),
  );
  const statement = JSON.stringify({
    type: "run",
    ...expected,
    exportedAt: "2026-11-20T12:00:00.000Z",
    documentDigest: await digestOf(document),
    head: { seq: 2, hash: "hash-2" },
    rows: rows.map(({ seq, hash, digest }) => ({ seq, hash, digest })),
    ...changes,
  });
  const signature = await crypto.subtle.sign("Ed25519", keys.privateKey, new TextEncoder().encode(statement));
  const signedBytes = base64url(new Uint8Array(signature));
  return { format: "procedo-audit-1", statement, keyId: key.kid, signature: signedBytes, document, rows };
}

const messageOf = async (given: RunRecord): Promise<string | undefined> => {
  const verdict = await verifyRecord(given, key, expected);
  return verdict.isValid ? undefined : verdict.message;
};

/** The record with a change of one row. */
const changed = (index: number, change: Partial<RunRecord["rows"][number]>): RunRecord => ({
  ...record,
  rows: record.rows.map((row, at) => (at === index ? { ...row, ...change } : row)),
});

test("a record as it was signed is verified, with the number of its rows", async () => {
  const verdict = await verifyRecord(record, key, expected);
  expect(verdict).toEqual({ isValid: true, rows: 2, exportedAt: "2026-11-20T12:00:00.000Z" });
});

describe("a row does not fit", () => {
  test.each<[string, (given: RunRecord) => RunRecord, number]>([
    ["with another body", () => changed(0, { body: bodies[0]?.replace("5", "6") ?? "" }), 1],
    ["with other entries", () => changed(0, { entries: [{ ...started, input: { amount: 6 } }] }), 1],
    ["without an entry", () => changed(0, { entries: [] }), 1],
    ["with one entry more", () => changed(1, { entries: [...(entries[1] ?? []), { type: "recovered" }] }), 2],
    ["with another hash", () => changed(1, { hash: "hash-x" }), 2],
    ["with another digest", () => changed(1, { digest: "x" }), 2],
    ["that is missing", (given) => ({ ...given, rows: given.rows.slice(0, 1) }), 2],
    ["in another order", (given) => ({ ...given, rows: given.rows.toReversed() }), 1],
    ["that was added", (given) => ({ ...given, rows: [...given.rows, ...given.rows.slice(1)] }), 3],
  ])("%s", async (_case, change, seq) => {
    expect(await verifyRecord(change(record), key, expected)).toEqual({
      isValid: false,
      message: `Row ${seq} does not fit`,
      seq,
    });
  });
});

/** Each value with one of its leaves changed, its objects and lists with one more member, and without one. */
function* changesOf(value: unknown): Generator<unknown> {
  if (typeof value !== "object" || value === null) {
    yield typeof value === "number" ? value + 1 : `${String(value)}x`;
  } else if (Array.isArray(value)) {
    yield [...(value as unknown[]), "Evil"];
    for (const [index, item] of value.entries()) {
      for (const other of changesOf(item)) yield value.with(index, other);
    }
  } else {
    yield { ...value, approvedBy: "Evil" };
    for (const [name, member] of Object.entries(value)) {
      const { [name]: _left, ...others } = value as Readonly<Record<string, unknown>>;
      yield others;
      for (const other of changesOf(member)) yield { ...value, [name]: other };
    }
  }
}

test("no value of an entry is changed, added or left out unseen", async () => {
  const whole = await signed({}, allTypes);
  expect(await verifyRecord(whole, key, expected)).toMatchObject({ isValid: true, rows: allTypes.length });
  let count = 0;
  for (const [index, row] of whole.rows.entries()) {
    for (const changedEntries of changesOf(row.entries)) {
      const given = { ...whole, rows: whole.rows.with(index, { ...row, entries: changedEntries as unknown[] }) };
      const verdict = await verifyRecord(given, key, expected);
      expect(verdict, JSON.stringify(changedEntries)).toMatchObject({ isValid: false, seq: row.seq });
      count += 1;
    }
  }
  expect(count).toBeGreaterThan(300);
});

test("a changed statement, signature, key or document is told apart", async () => {
  const statement = record.statement.replace("hash-1", "hash-3");
  expect(await messageOf({ ...record, statement })).toContain("not the one that was signed");
  expect(
    await messageOf({
      ...record,
      signature: `${record.signature.startsWith("A") ? "B" : "A"}${record.signature.slice(1)}`,
    }),
  ).toContain("not the one");
  expect(await messageOf({ ...record, signature: "?" })).toContain("not the one that was signed");
  expect(await messageOf({ ...record, keyId: "x" })).toContain("another key");
  expect(await messageOf({ ...record, document: `${document} ` })).toContain("document");
});

test("the record of another run or environment is refused, although it is signed", async () => {
  expect(await messageOf(await signed({ runId: "run_2" }))).toBe("The record is that of another run.");
  expect(await messageOf(await signed({ environment: "sandbox" }))).toBe("The record is that of another run.");
  expect(await messageOf(await signed({ type: "checkpoint" }))).toContain("not that of a run");
});
