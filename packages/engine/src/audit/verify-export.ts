import { isDeepStrictEqual } from "node:util";
import { auditExportSchema, auditStatementSchema, type AuditExport, type AuditStatement } from "@procedo/contract";
import { bodyDigest } from "../journal/chain.ts";
import { createRowCodec, type RowCodec } from "../journal/row-codec.ts";
import { signatureProblem, type AuditPublicKey } from "./signature.ts";

/** What verifying an export finds: whose record it is, or the first thing in it that is not as it was signed. */
export type ExportVerdict =
  | {
      readonly valid: true;
      readonly runId: string;
      readonly procedureId: string;
      readonly procedureVersion: string;
      readonly environment: "sandbox" | "live";
      readonly exportedAt: string;
      /** Where the journal ended when it was exported. */
      readonly head: { readonly seq: number; readonly hash: string };
    }
  | {
      readonly valid: false;
      /**
       * `format`: it is no export, or parts of one are missing. `key`: another key signed it. `signature`: the statement
       * is not the one that was signed. `document`, `row`: this is not what the statement vouches for.
       */
      readonly at: "format" | "key" | "signature" | "document" | "row";
      /** The first row that does not follow; with `signature` as far as it can be told. */
      readonly seq?: number;
      readonly message: string;
    };

type Invalid = Extract<ExportVerdict, { readonly valid: false }>;

/**
 * Verifies an export with nothing but the public key: no engine, no storage, no network. The rows' hashes are keyed with
 * a secret that an auditor has not; what an auditor relies on is the signature, which covers every hash and digest.
 *
 * Get the public key from the operator by another way than the export.
 *
 * @param exported the export as parsed JSON
 * @throws ProcedoError `invalid_input` when the public key is none
 */
export function verifyExport(exported: unknown, publicKey: AuditPublicKey): ExportVerdict {
  const parsed = auditExportSchema.safeParse(exported);
  if (!parsed.success) return invalid("format", "This is not an export of format procedo-audit-1, or not all of one.");
  const given = parsed.data;

  const problem = signatureProblem(given, publicKey);
  const statement = readStatement(given.statement);
  if (problem === "key") return invalid("key", "The export was signed with another key than the one given.");
  if (problem === "signature") {
    const row = statement && firstWrongRow(statement, given.rows);
    const where = row === undefined ? "" : ` Statement and rows differ first at row ${row.seq}.`;
    return invalid("signature", `The statement is not the one that was signed.${where}`, row?.seq);
  }
  if (statement === undefined) return invalid("format", "What was signed is not the statement of a run.");
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
    return `Row ${seq}'s entries are not what its body says.`;
  return undefined;
}

/** As JSON tells them; `undefined` when the body is none. */
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
