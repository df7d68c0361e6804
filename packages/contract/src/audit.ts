import * as z from "zod";
import { environmentSchema } from "./environment.ts";
import { procedureIdSchema, runIdSchema, versionNameSchema } from "./identifiers.ts";
import { jsonValueSchema } from "./json.ts";
import { maxNameLength } from "./names.ts";
import { pageOf, pageQuerySchema } from "./pages.ts";
import { givenTimestampSchema, timestampSchema } from "./timestamp.ts";

const placeSchema = z.strictObject({
  seq: z.int().min(1).meta({ description: "1, 2, 3 … without a gap." }),
  hash: z.string().meta({ description: "Chains the row to the one before." }),
});

const statedRowSchema = placeSchema.extend({
  digest: z.base64url().meta({ description: "SHA-256 of the body, base64url." }),
});

/**
 * Answer of `GET runs/:runId/audit`: one run as an auditor gets it. Signed is the statement; document, bodies and entries
 * stand beside it and are held to it by their digests, so that a verifier can name the part that was changed.
 */
export const auditExportSchema = z
  .strictObject({
    format: z.literal("procedo-audit-1"),
    statement: z.string().meta({
      description: "JSON text of an audit statement. It travels as text, so that its bytes are those of the signature.",
    }),
    keyId: z.string().meta({ description: "Names the public key that verifies the signature." }),
    signature: z.base64url().meta({ description: "Ed25519 signature of the statement's UTF-8 bytes, base64url." }),
    document: z.string().meta({ description: "JSON text of the published version, byte for byte." }),
    rows: z.array(
      statedRowSchema.extend({
        body: z.string().meta({ description: "JSON text, byte for byte as it is stored." }),
        entries: z
          .array(z.unknown())
          .meta({ description: "The entries of the body, spelled out: with every value that the body abbreviates." }),
      }),
    ),
  })
  .meta({ id: "AuditExport" });

/** The statement that the signature of an export covers. */
export const auditStatementSchema = z
  .strictObject({
    type: z.literal("run").meta({ description: "The same key signs checkpoints, which are not to pass for exports." }),
    runId: runIdSchema,
    procedureId: procedureIdSchema,
    procedureVersion: versionNameSchema,
    environment: environmentSchema,
    exportedAt: timestampSchema,
    documentDigest: z.base64url().meta({ description: "SHA-256 of the document, base64url." }),
    head: placeSchema.meta({ description: "Where the journal ended at this time; compare it with a checkpoint's." }),
    rows: z.array(statedRowSchema).min(1),
  })
  .refine(({ rows }) => rows.every(({ seq }, index) => seq === index + 1), "has rows with gaps between them")
  .refine(
    ({ head, rows }) => head.seq === rows.length && head.hash === rows.at(-1)?.hash,
    "has another row as its head",
  )
  .meta({ id: "AuditStatement" });

/** Query of `GET audit`. */
export const listAuditQuerySchema = pageQuerySchema.extend({
  action: z.string().min(1).max(100).optional().meta({ description: "Such as `procedure.published`." }),
  person: z.string().min(1).max(maxNameLength).optional().meta({ description: "The person who made the change." }),
  subject: z.string().min(1).max(500).optional().meta({ description: "The changed resource, as entries name it." }),
  from: givenTimestampSchema.optional().meta({ description: "Earliest time, inclusive." }),
  to: givenTimestampSchema.optional().meta({ description: "Latest time, exclusive." }),
});

/** Schema of {@link AuditEntry}. */
export const auditEntrySchema = placeSchema
  .extend({
    at: timestampSchema,
    action: z.string().meta({ description: "`procedure.published`, `connection.created`, `checkpoint` …" }),
    by: z.string().meta({ description: "The person who made the change, or `procedo`." }),
    via: z.string().meta({ description: "The key or session with which they acted." }),
    subject: z.string().meta({ description: "The changed resource." }),
    details: jsonValueSchema.optional().meta({ description: "Facts of the change, which depend on `action`." }),
  })
  .meta({ id: "AuditEntry", description: "An entry of the workspace's chain of changes." });

/** Answer of `GET audit`: one page of {@link AuditEntry}, newest first. */
export const auditPageSchema = pageOf(auditEntrySchema).meta({ id: "AuditPage" });

/** Answer of `GET audit/public-key`: a JSON Web Key (RFC 8037). */
export const auditPublicKeySchema = z
  .strictObject({
    kty: z.literal("OKP"),
    crv: z.literal("Ed25519"),
    x: z.base64url().meta({ description: "The public key, base64url." }),
    kid: z.base64url().meta({ description: "Thumbprint of the key (RFC 7638); signed statements name it as `keyId`." }),
  })
  .meta({ id: "AuditPublicKey" });

/** The record of one run, with everything that an auditor needs to verify it without the service. */
export type AuditExport = z.infer<typeof auditExportSchema>;
/** The statement on one run that the signature of its export covers. */
export type AuditStatement = z.infer<typeof auditStatementSchema>;
/** The key that verifies exports and checkpoints. */
export type AuditPublicKey = z.infer<typeof auditPublicKeySchema>;
/** Query of a request that lists changes of the workspace. */
export type ListAuditQuery = z.input<typeof listAuditQuerySchema>;
/** A change of the workspace, with its place in the chain. */
export type AuditEntry = z.infer<typeof auditEntrySchema>;
