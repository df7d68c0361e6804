import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { verifyExport, type AuditPublicKey, type AuditExport } from "@procedo/engine";
import { createAuditSigner } from "../src/audit/signature.ts";
import { bodyDigest } from "../src/journal/chain.ts";
import { carol, createHarness, type Harness } from "./harness.ts";
import { call, procedure, review } from "./documents.ts";

const document = procedure(
  [
    call("a", "read", { arguments: { note: "{{ input.note }}" } }),
    review("r", { data: { order: "{{ input }}" }, approvals: 2 }),
    call("b", "once"),
  ],
  { output: { id: "{{ nodes.b.output.id }}" } },
);
const order = {
  note: 'Ümlaut 🧾 \u0000 " \\ '.repeat(6),
  amounts: [1, 0.1, -0.5, 1e21],
  "a/b~c": { deep: [null, true] },
};

let harness: Harness;
let runId: string;
let exported: AuditExport;
let other: AuditExport;
let key: AuditPublicKey;

beforeAll(async () => {
  harness = await createHarness();
  runId = await harness.runOf(document, order);
  await harness.decide(runId);
  await harness.decide(runId, { by: carol });
  expect((await harness.read(runId)).status).toBe("completed");
  const otherId = await harness.run(order);
  exported = await throughJson(harness.engine.audit.exportRun({ environment: "sandbox", runId }));
  other = await throughJson(harness.engine.audit.exportRun({ environment: "sandbox", runId: otherId }));
  key = harness.engine.audit.publicKey();
});

async function throughJson<T>(value: Promise<T>): Promise<T> {
  return JSON.parse(JSON.stringify(await value)) as T;
}

const verify = (changed: unknown) => verifyExport(changed, key);
type Row = AuditExport["rows"][number];
const withRow = (seq: number, change: (row: Row) => Partial<Row>): AuditExport => ({
  ...exported,
  rows: exported.rows.map((row) => (row.seq === seq ? { ...row, ...change(row) } : row)),
});
const rowOf = (seq: number, from = exported): Row => from.rows[seq - 1] as Row;

describe("an export", () => {
  test("verifies with only the public key, and names its workspace", () => {
    expect(verify(exported)).toEqual({
      valid: true,
      runId,
      procedureId: "p",
      procedureVersion: "v1",
      environment: "sandbox",
      exportedAt: new Date(harness.clock.now()).toISOString(),
      head: { seq: exported.rows.length, hash: rowOf(exported.rows.length).hash },
    });
  });

  test("contains the rows as stored, a readable form, the document, and the decisions with their people", async () => {
    const stored = await harness.engine.runs.journal({ environment: "sandbox", runId });
    expect(exported.rows.map(({ seq, hash, body }) => ({ seq, hash, body }))).toEqual(
      stored.map(({ seq, hash, body }) => ({ seq, hash, body })),
    );
    expect(exported.rows.map(({ entries }) => entries)).toEqual(
      JSON.parse(JSON.stringify(stored.map(({ entries }) => entries))),
    );
    expect(JSON.parse(exported.document)).toEqual(document);
    const answered = exported.rows
      .flatMap(({ entries }) => entries)
      .find((entry) => Object(entry).type === "review_closed");
    expect(answered).toMatchObject({
      answer: { status: "approved", decisions: [{ person: "bob" }, { person: "carol" }] },
    });
  });

  test("of an open run verifies too", async () => {
    expect(verify(other)).toMatchObject({ valid: true, head: { seq: other.rows.length } });
  });

  test("verifies regardless of the order and spacing of its members", () => {
    const reordered = exported.rows.map((row) => Object.fromEntries(Object.entries(row).toReversed()));
    const spaced: unknown = JSON.parse(
      JSON.stringify(Object.fromEntries(Object.entries({ ...exported, rows: reordered }).toReversed()), null, 2),
    );
    expect(verify(spaced)).toMatchObject({ valid: true });
  });

  test("is the same for every engine with the same master key", async () => {
    const second = await harness.addEngine();
    expect(second.audit.publicKey()).toEqual(key);
    expect(await second.audit.exportRun({ environment: "sandbox", runId })).toEqual(exported);
  });

  test("reveals nothing of the keys with which it was made", () => {
    expect(JSON.stringify(key)).not.toContain('"d"');
    expect(Object.keys(key).sort()).toEqual(["crv", "kid", "kty", "x"]);
  });
});

const otherDigit = (digit: string): string => String((Number(digit) + 1) % 10);

describe("a change is reported", () => {
  test.each([1, 2, 3, 4])("to the body of row %i", (seq) => {
    const changed = withRow(seq, ({ body }) => ({
      body: body.replace(/\d/, otherDigit),
    }));
    expect(verify(changed)).toMatchObject({
      valid: false,
      at: "row",
      seq,
      message: `The body of row ${seq} was changed.`,
    });
  });

  test("to a body together with its digest", () => {
    const body = rowOf(2).body.replace(/\d/, otherDigit);
    expect(verify(withRow(2, () => ({ body, digest: bodyDigest(body) })))).toMatchObject({ at: "row", seq: 2 });
  });

  test("to a hash", () => {
    expect(verify(withRow(3, ({ hash }) => ({ hash: `A${hash.slice(1)}B` })))).toMatchObject({ at: "row", seq: 3 });
  });

  test("to the readable form", () => {
    const changed = withRow(2, ({ entries }) => ({ entries: entries.map((entry) => ({ ...Object(entry), atMs: 1 })) }));
    expect(verify(changed)).toMatchObject({ at: "row", seq: 2, message: expect.stringContaining("entries") });
    expect(verify(withRow(2, ({ entries }) => ({ entries: entries.slice(1) })))).toMatchObject({ at: "row", seq: 2 });
  });

  test("to the order of two rows", () => {
    const rows = exported.rows.toSpliced(1, 2, rowOf(3), rowOf(2));
    expect(verify({ ...exported, rows })).toMatchObject({ at: "row", seq: 2 });
  });

  test("by removing a row, in the middle or at the end", () => {
    expect(verify({ ...exported, rows: exported.rows.toSpliced(2, 1) })).toMatchObject({ at: "row", seq: 3 });
    const last = exported.rows.length;
    expect(verify({ ...exported, rows: exported.rows.slice(0, -1) })).toMatchObject({ at: "row", seq: last });
    expect(verify({ ...exported, rows: [] })).toMatchObject({ at: "row", seq: 1 });
  });

  test("by adding a row", () => {
    const seq = exported.rows.length + 1;
    const rows = [...exported.rows, { ...rowOf(2), seq }];
    expect(verify({ ...exported, rows })).toMatchObject({ at: "row", seq });
    expect(verify({ ...exported, rows: exported.rows.toSpliced(2, 0, rowOf(2)) })).toMatchObject({ at: "row", seq: 3 });
  });

  test("by substituting another run's row, or another run's statement over its rows", () => {
    expect(verify({ ...exported, rows: exported.rows.with(1, rowOf(2, other)) })).toMatchObject({ at: "row", seq: 2 });
    expect(verify({ ...exported, statement: other.statement })).toMatchObject({ at: "signature", seq: 1 });
    const { statement, signature } = other;
    expect(verify({ ...exported, statement, signature })).toMatchObject({ at: "row", seq: 1 });
  });

  test("to the document", () => {
    const changed = { ...exported, document: exported.document.replace("Review r", "Review x") };
    expect(verify(changed)).toMatchObject({ at: "document" });
  });

  test("to the statement, with the row that contradicts it", () => {
    const digest = rowOf(2).digest;
    const changed = { ...exported, statement: exported.statement.replace(digest, bodyDigest("{}")) };
    expect(verify(changed)).toMatchObject({ at: "signature", seq: 2 });
    expect(verify({ ...exported, statement: exported.statement.replace("sandbox", "live") })).toMatchObject({
      at: "signature",
    });
  });

  test("to the signature", () => {
    const signature = exported.signature.replace(/^./, (first) => (first === "A" ? "B" : "A"));
    expect(verify({ ...exported, signature })).toEqual({ valid: false, at: "signature", message: expect.any(String) });
  });

  test("of the key, even if it signed the same statement", () => {
    const forger = createAuditSigner(new Uint8Array(32).fill(9));
    expect(verify({ ...exported, ...forger.sign(exported.statement) })).toMatchObject({ at: "key" });
    expect(verify({ ...exported, ...forger.sign(exported.statement), keyId: key.kid })).toMatchObject({
      at: "signature",
    });
  });

  test.each([undefined, null, 1, "x", [], {}])("into something that is not an export: %j", (given) => {
    expect(verify(given)).toMatchObject({ valid: false, at: "format" });
  });

  test("by adding or removing members", () => {
    expect(verify({ ...exported, note: "trust me" })).toMatchObject({ at: "format" });
    expect(verify({ ...exported, document: undefined })).toMatchObject({ at: "format" });
    expect(verify(withRow(2, () => ({ body: undefined as unknown as string })))).toMatchObject({ at: "format" });
  });

  test("to any byte of the file", () => {
    const bytes = Buffer.from(JSON.stringify(exported));
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (place, flip) => {
        const changed = Buffer.from(bytes);
        changed[place] = (changed[place] ?? 0) ^ flip;
        let parsed: unknown;
        try {
          parsed = JSON.parse(changed.toString());
        } catch {
          return;
        }
        // An additional space, or another spelling of the same text, does not change the content.
        if (JSON.stringify(parsed) === bytes.toString()) return;
        expect(verify(parsed)).toMatchObject({ valid: false });
      }),
      { numRuns: 3_000 },
    );
  });

  test("to any byte of a body, by its row", () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 127 }), (rowAt, placeAt, flip) => {
        const seq = 1 + (rowAt % exported.rows.length);
        const changed = withRow(seq, ({ body }) => {
          const place = placeAt % body.length;
          const flipped = String.fromCharCode(body.charCodeAt(place) ^ flip);
          return { body: body.slice(0, place) + flipped + body.slice(place + 1) };
        });
        expect(verify(changed)).toMatchObject({ valid: false, at: "row", seq });
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("exporting", () => {
  test("a missing run is refused, also one of the other environment", async () => {
    const { audit } = harness.engine;
    await expect(audit.exportRun({ environment: "live", runId })).rejects.toMatchObject({ code: "run_not_found" });
    await expect(audit.exportRun({ environment: "sandbox", runId: "run_x" })).rejects.toMatchObject({
      code: "run_not_found",
    });
  });

  test("never signs altered rows", async () => {
    const engine = await harness.addEngine();
    const damages: readonly ((rows: readonly { readonly body: string }[]) => readonly unknown[])[] = [
      (rows) => rows.map((row, index) => (index === 1 ? { ...row, body: row.body.replace(/\d/, otherDigit) } : row)),
      (rows) => rows.toSpliced(1, 1),
      () => [],
    ];
    for (const damage of damages) {
      engine.way.on("runs.journal", async (work) => damage((await work()) as readonly { body: string }[]));
      await expect(engine.audit.exportRun({ environment: "sandbox", runId })).rejects.toMatchObject({
        code: "journal_corrupted",
      });
    }
  });
});
