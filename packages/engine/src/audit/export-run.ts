import { ProcedoError, type AuditExport, type AuditStatement, type Environment } from "@procedo/contract";
import type { Entry } from "@procedo/procedure";
import type { JournalRow, Storage } from "@procedo/storage";
import { bodyDigest, chainFollower } from "../journal/chain.ts";
import type { Clock } from "../ports/clock.ts";
import { parsedBytes } from "../journal/parsed-bytes.ts";
import type { LargeReads } from "../journal/large-reads.ts";
import { readPast, runArchived, type Past, type PastPorts } from "../journal/read-past.ts";
import type { AuditSigner } from "./signature.ts";

export interface ExportPorts extends PastPorts {
  readonly storage: Pick<Storage, "procedures" | "retention" | "runs">;
  readonly workspace: string;
  readonly clock: Clock;
  readonly chainKey: Uint8Array;
  readonly signer: AuditSigner;
}

/** See `Audit.exportRun`. The chain is verified first: a signature must not vouch for changed rows. */
export async function exportRun(
  ports: ExportPorts,
  { environment, runId }: { readonly environment: Environment; readonly runId: string },
  { onRead }: Pick<LargeReads, "onRead"> = {},
): Promise<AuditExport> {
  const { storage, workspace, clock, chainKey, signer } = ports;
  const scope = { workspace, environment };
  if ((await storage.runs.get({ scope, runId })) === undefined) {
    throw new ProcedoError(
      "run_not_found",
      `There is no run "${runId}" in ${environment}. Check its id and its environment.`,
    );
  }
  const rows: ReadableRow[] = [];
  const follows = chainFollower(chainKey, runId);
  const past = await inWords(
    runId,
    readPast(ports, { scope, runId }, (row, entries) => {
      // The export contains each row twice: as text and decoded.
      onRead?.(row.body.length + parsedBytes(row.body));
      if (!follows(row)) throw broken(runId, `Row ${rows.length + 1} does not follow from the row before it.`);
      rows.push({ ...row, digest: bodyDigest(row.body), entries });
    }),
  );
  if (past.kind === "archived") throw runArchived(runId);

  const started = rows[0]?.entries[0];
  const head = rows.at(-1);
  // Procedure and version come from the chained rows, not from columns, which could have been changed unnoticed.
  if (head === undefined || started?.type !== "started" || started.facts.environment !== environment) {
    throw broken(runId, "Its first row is not the start of a run in this environment.");
  }
  const { procedureId, procedureVersion } = started.facts;
  const version = await storage.procedures.version({ workspace, procedureId, version: procedureVersion });
  if (version === undefined) {
    const message = `Version ${procedureVersion} of procedure "${procedureId}" is missing; run "${runId}" cannot be exported without its document.`;
    throw new ProcedoError("version_not_found", message);
  }

  const statement: AuditStatement = {
    type: "run",
    runId,
    procedureId,
    procedureVersion,
    environment,
    exportedAt: new Date(clock.now()).toISOString(),
    documentDigest: bodyDigest(version.document),
    head: { seq: head.seq, hash: head.hash },
    rows: rows.map(({ seq, hash, digest }) => ({ seq, hash, digest })),
  };
  return {
    format: "procedo-audit-1",
    ...signer.sign(JSON.stringify(statement)),
    document: version.document,
    rows: rows.map((row) => ({ ...row, entries: [...row.entries] })),
  };
}

interface ReadableRow extends JournalRow {
  readonly digest: string;
  readonly entries: readonly Entry[];
}

/** Reports rows that cannot be decoded like rows that do not follow from their predecessors. */
async function inWords(runId: string, reading: Promise<Past>): Promise<Past> {
  try {
    return await reading;
  } catch (cause) {
    if (ProcedoError.isError(cause)) throw cause;
    throw broken(runId, "Its rows cannot be read.", cause);
  }
}

function broken(runId: string, why: string, cause?: unknown): ProcedoError {
  const message = `The journal of run "${runId}" cannot be exported as a true record. ${why} Compare it with a backup.`;
  return new ProcedoError("journal_corrupted", message, { cause });
}
