import * as z from "zod";
import { environmentSchema } from "./environment.ts";
import { procedureIdSchema, runIdSchema, versionNameSchema } from "./identifiers.ts";
import { timestampSchema } from "./timestamp.ts";

/** Answer of `GET runs/:runId/audit`: what is signed travels as text, so that its bytes are those of the signature. */
export const auditExportSchema = z
  .strictObject({
    format: z.literal("procedo-audit-1"),
    statement: z.string().meta({ description: "JSON text of an audit statement." }),
    keyId: z.string().meta({ description: "Names the public key that verifies the signature." }),
    signature: z.base64url().meta({ description: "Ed25519 signature of the statement's UTF-8 bytes, base64url." }),
  })
  .meta({ id: "AuditExport" });

/** What an export states: every row of a run's journal, in order. */
export const auditStatementSchema = z
  .strictObject({
    runId: runIdSchema,
    procedureId: procedureIdSchema,
    procedureVersion: versionNameSchema,
    environment: environmentSchema,
    exportedAt: timestampSchema,
    rows: z.array(
      z.strictObject({
        seq: z.int().min(1).meta({ description: "1, 2, 3 … without a gap." }),
        hash: z.string().meta({ description: "Chains the row to the one before." }),
        digest: z.base64url().meta({ description: "SHA-256 of the body, base64url." }),
        body: z.string().optional().meta({ description: "JSON text, byte for byte. Left out of a redacted row." }),
      }),
    ),
  })
  .meta({ id: "AuditStatement" });

export type AuditExport = z.infer<typeof auditExportSchema>;
export type AuditStatement = z.infer<typeof auditStatementSchema>;
