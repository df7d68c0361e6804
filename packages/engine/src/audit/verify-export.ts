import { isDeepStrictEqual } from "node:util";
import { auditExportSchema, auditStatementSchema, type AuditExport, type AuditStatement } from "@procedo/contract";
import { bodyDigest } from "../journal/chain.ts";
import { createRowCodec, type RowCodec } from "../journal/row-codec.ts";
import { signatureProblem, type AuditPublicKey } from "./signature.ts";

/** The verdict on an export: the run that it proves, or the first deviation from the signed record. */
export type ExportVerdict =
  | {
      readonly valid: true;
      /** Identifier of the exported run. */
      readonly runId: string;
      /** The procedure that the run executed. */
      readonly procedureId: string;
      /** The version that the run executed. */
      readonly procedureVersion: string;
      /** The environment of the run. */
      readonly environment: "sandbox" | "live";
      /** Time of the export, ISO 8601. */
      readonly exportedAt: string;
      /** The last row of the journal at the time of the export. */
      readonly head: {
        /** Number of the row within the run. */
        readonly seq: number;
        /** Hash of the row. */
        readonly hash: string;
      };
    }
  | {
      readonly valid: false;
      /**
       * `format`: the input is not a complete export. `key`: another key signed it. `signature`: the statement is not
       * the one that was signed. `document`, `row`: this part does not match the statement.
       */
      readonly at: "format" | "key" | "signature" | "document" | "row";
      /** The first row that does not match. With `signature` it may be missing. */
      readonly seq?: number;
      /** The deviation, in one sentence. */
      readonly message: string;
    };

type Invalid = Extract<ExportVerdict, { readonly valid: false }>;

/**
 * Verifies an export with the public key alone: no engine, no storage, no network. The rows' hashes are keyed with a
 * secret that auditors do not have. Auditors rely on the signature, which covers every hash and digest.
 *
 * Get the public key from the operator separately from the export.
 *
 * @param exported the export as parsed JSON
 * @throws ProcedoError `invalid_input` when the public key is not an Ed25519 key
 * @example
 * ```ts
 * import { readFile } from "node:fs/promises";
 * import { verifyExport } from "@procedo/engine";
 *
 * const publicKey = JSON.parse(await readFile("audit-key.json", "utf8"));
 * const verdict = verifyExport(JSON.parse(await readFile("run.json", "utf8")), publicKey);
 * console.log(verdict.valid ? `Run ${verdict.runId} is as it was written.` : verdict.message);
 * ```
 */
export function verifyExport(exported: unknown, publicKey: AuditPublicKey): ExportVerdict {
  const parsed = auditExportSchema.safeParse(exported);
  if (!parsed.success) return invalid("format", "This is not a complete export of format procedo-audit-1.");
  const given = parsed.data;

  const problem = signatureProblem(given, publicKey);
  const statement = readStatement(given.statement);
  if (problem === "key") return invalid("key", "The export was signed with another key than the one given.");
  if (problem === "signature") {
    const row = statement && firstWrongRow(statement, given.rows);
    const where = row === undefined ? "" : ` Statement and rows differ first at row ${row.seq}.`;
    return invalid("signature", `The statement is not the one that was signed.${where}`, row?.seq);
  }
  if (statement === undefined) return invalid("format", "The signed statement is not that of a run.");
  if (bodyDigest(given.document) !== statement.documentDigest) {
    return invalid("document", "The document is not the version that the run executed.");
  }
  const row = firstWrongRow(statement, given.rows);
  if (row !== undefined) return invalid("row", row.message, row.seq);
  const { runId, procedureId, procedureVersion, environment, exportedAt, head } = statement;
  return { valid: true, runId, procedureId, procedureVersion, environment, exportedAt, head };
}

type GivenRow = AuditExport["rows"][number];

interface WrongRow {
  readonly seq: number;
  readonly message: string;
}

function firstWrongRow(statement: AuditStatement, given: readonly GivenRow[]): WrongRow | undefined {
  const codec = createRowCodec(statement.runId);
  for (const [index, stated] of statement.rows.entries()) {
    const message = problemOfRow(stated, given[index], codec);
    if (message !== undefined) return { seq: stated.seq, message };
  }
  const seq = statement.rows.length + 1;
  return given.length < seq ? undefined : { seq, message: `Row ${seq} was added: the journal ends at row ${seq - 1}.` };
}

function problemOfRow(
  { seq, hash, digest }: AuditStatement["rows"][number],
  given: GivenRow | undefined,
  codec: RowCodec,
): string | undefined {
  if (given === undefined) return `Row ${seq} is missing.`;
  if (given.seq !== seq) return `Row ${seq} is missing: row ${given.seq} stands in its place.`;
  if (given.hash !== hash) return `The hash of row ${seq} is not the one that was signed.`;
  if (given.digest !== digest) return `The digest of row ${seq} is not the one that was signed.`;
  if (bodyDigest(given.body) !== digest) return `The body of row ${seq} was changed.`;
  if (!isDeepStrictEqual(given.entries, decoded(codec, given)))
    return `The entries of row ${seq} do not match its body.`;
  return undefined;
}

/** In JSON form; `undefined` when the body cannot be decoded. */
function decoded(codec: RowCodec, { seq, body }: GivenRow): unknown {
  try {
    return JSON.parse(JSON.stringify(codec.decode(seq, body)));
  } catch {
    return undefined;
  }
}

function readStatement(text: string): AuditStatement | undefined {
  try {
    return auditStatementSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function invalid(at: Invalid["at"], message: string, seq?: number): Invalid {
  return { valid: false, at, message, ...(seq === undefined ? {} : { seq }) };
}
