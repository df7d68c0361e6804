import { expect, test } from "vitest";
import { auditExportSchema, auditStatementSchema } from "./audit.ts";

const row = { seq: 1, hash: "h1", digest: "ZDE" };

const statement = {
  type: "run",
  runId: "run_1",
  procedureId: "p",
  procedureVersion: "v1",
  environment: "live",
  exportedAt: "2026-01-31T09:30:00.000Z",
  documentDigest: "ZDI",
  head: { seq: 1, hash: "h1" },
  rows: [row],
};

const signed = {
  format: "procedo-audit-1",
  statement: JSON.stringify(statement),
  keyId: "k1",
  signature: "c2ln",
  document: "{}",
  rows: [{ ...row, body: "[]", entries: [{ type: "started" }] }],
};

test("an export signs its statement as text", () => {
  expect(auditStatementSchema.parse(JSON.parse(auditExportSchema.parse(signed).statement))).toEqual(statement);
  expect(auditExportSchema.safeParse({ ...signed, statement }).success).toBe(false);
});

test.each(["statement", "keyId", "signature", "document", "rows"])("an export without its %s is invalid", (field) => {
  expect(auditExportSchema.safeParse({ ...signed, [field]: undefined }).success).toBe(false);
});

test.each([
  ["of a checkpoint, which the same key signs", { type: "checkpoint" }],
  ["of a journal with a gap", { rows: [row, { ...row, seq: 3 }], head: { seq: 3, hash: "h1" } }],
  ["that begins in the middle", { rows: [{ ...row, seq: 2 }], head: { seq: 2, hash: "h1" } }],
  ["with another hash as its head", { head: { seq: 1, hash: "h2" } }],
  ["with a head beyond its rows", { head: { seq: 2, hash: "h1" } }],
  ["of no rows", { rows: [] }],
])("a statement %s is invalid", (_what, changed) => {
  expect(auditStatementSchema.safeParse({ ...statement, ...changed }).success).toBe(false);
});
