import { expect, test } from "vitest";
import { auditExportSchema, auditStatementSchema } from "./audit.ts";

const statement = {
  runId: "run_1",
  procedureId: "p",
  procedureVersion: "v1",
  environment: "live",
  exportedAt: "2026-01-31T09:30:00.000Z",
  rows: [{ seq: 1, hash: "h1", digest: "ZDE", body: "[]" }],
};

test("an export signs its statement as text", () => {
  const text = JSON.stringify(statement);
  const signed = { format: "procedo-audit-1", statement: text, keyId: "k1", signature: "c2ln" };
  expect(auditStatementSchema.parse(JSON.parse(auditExportSchema.parse(signed).statement))).toEqual(statement);
  expect(auditExportSchema.safeParse({ ...signed, signature: undefined }).success).toBe(false);
  expect(auditExportSchema.safeParse({ ...signed, statement }).success).toBe(false);
});

test("a redacted row keeps its digest", () => {
  const { body: _, ...redacted } = { seq: 1, hash: "h1", digest: "ZDE", body: "[]" };
  expect(auditStatementSchema.safeParse({ ...statement, rows: [redacted] }).success).toBe(true);
  const { digest: __, ...undigested } = redacted;
  expect(auditStatementSchema.safeParse({ ...statement, rows: [undigested] }).success).toBe(false);
});
