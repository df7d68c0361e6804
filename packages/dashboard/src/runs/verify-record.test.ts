import { beforeAll, describe, expect, test } from "vitest";
import { base64url, digestOf } from "../values/digest.ts";
import { verifyRecord, type RunRecord } from "./verify-record.ts";

const expected = { runId: "run_1", environment: "live" };
const document = `{"name":"Pay"}`;
const bodies = [`[1000,{"type":"started","/input":{"amount":5}}]`, `[2000,{"type":"ended","/result/output":{}}]`];
const entries = [
  [{ type: "started", atMs: 1000, input: { amount: 5 } }],
  [{ type: "ended", atMs: 2000, result: { status: "completed", output: {} } }],
];

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

async function signed(changes: object): Promise<RunRecord> {
  const rows = await Promise.all(
    bodies.map(async (body, index) => {
      return {
        seq: index + 1,
        hash: `hash-${index}`,
        digest: await digestOf(body),
        body,
        entries: entries[index] ?? [],
      };
    }),
  );
  const statement = JSON.stringify({
    type: "run",
    ...expected,
    exportedAt: "2026-11-20T12:00:00.000Z",
    documentDigest: await digestOf(document),
    head: { seq: 2, hash: "hash-1" },
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
    ["with other entries", () => changed(0, { entries: [{ type: "started", atMs: 1000, input: { amount: 6 } }] }), 1],
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

test("a changed statement, signature, key or document is told apart", async () => {
  const statement = record.statement.replace("hash-1", "hash-2");
  expect(await messageOf({ ...record, statement })).toContain("not the one that was signed");
  expect(await messageOf({ ...record, signature: `A${record.signature.slice(1)}` })).toContain("not the one");
  expect(await messageOf({ ...record, signature: "?" })).toContain("not the one that was signed");
  expect(await messageOf({ ...record, keyId: "x" })).toContain("another key");
  expect(await messageOf({ ...record, document: `${document} ` })).toContain("document");
});

test("the record of another run or environment is refused, although it is signed", async () => {
  expect(await messageOf(await signed({ runId: "run_2" }))).toBe("The record is that of another run.");
  expect(await messageOf(await signed({ environment: "sandbox" }))).toBe("The record is that of another run.");
  expect(await messageOf(await signed({ type: "checkpoint" }))).toContain("not that of a run");
});
