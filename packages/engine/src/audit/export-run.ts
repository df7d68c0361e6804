import { ProcedoError, type AuditExport, type AuditStatement, type Environment } from "@procedo/contract";
import type { Entry } from "@procedo/procedure";
import type { JournalRow, Storage } from "@procedo/storage";
import { bodyDigest, firstBrokenRow } from "../journal/chain.ts";
import { createRowCodec } from "../journal/row-codec.ts";
import type { Clock } from "../ports/clock.ts";
import { versionNotFound } from "../procedures/versions.ts";
import { readPast, runArchived } from "../runs/read-past.ts";
import type { AuditSigner } from "./signature.ts";

export interface ExportPorts {
  readonly storage: Pick<Storage, "procedures" | "retention" | "runs">;
  readonly workspace: string;
  readonly clock: Clock;
  readonly chainKey: Uint8Array;
  readonly signer: AuditSigner;
}

/** See `Audit.exportRun`. The chain is checked first: a signature must not vouch for what somebody has changed. */
export async function exportRun(
  ports: ExportPorts,
  { environment, runId }: { readonly environment: Environment; readonly runId: string },
): Promise<AuditExport> {
  const { storage, workspace, clock, chainKey, signer } = ports;
  const scope = { workspace, environment };
  if ((await storage.runs.get({ scope, runId })) === undefined) {
    throw new ProcedoError("run_not_found", `There is no run "${runId}" in ${environment}.`);
  }
  const past = await readPast(storage, { scope, runId });
  if (past.kind === "archived") throw runArchived(runId);
  const journal = past.rows;
  const brokenAt = firstBrokenRow(chainKey, runId, journal);
  if (brokenAt !== undefined) throw broken(runId, `Row ${brokenAt} does not follow from the row before it.`);

  const rows = withEntries(runId, journal);
  const started = rows[0]?.entries[0];
  const head = journal.at(-1);
  // What the run is an execution of is taken from its chained rows, not from columns that anybody may have changed.
  if (head === undefined || started?.type !== "started" || started.facts.environment !== environment) {
    throw broken(runId, "Its first row is not the start of a run in this environment.");
  }
  const { procedureId, procedureVersion } = started.facts;
  const version = await storage.procedures.version({ workspace, procedureId, version: procedureVersion });
  if (version === undefined) throw versionNotFound(procedureId, procedureVersion);

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

function withEntries(runId: string, journal: readonly JournalRow[]): readonly ReadableRow[] {
  const codec = createRowCodec(runId);
  try {
    return journal.map(({ seq, hash, body }) => {
      return { seq, hash, digest: bodyDigest(body), body, entries: codec.decode(seq, body) };
    });
  } catch (cause) {
    throw broken(runId, "Its rows cannot be read.", cause);
  }
}

function broken(runId: string, why: string, cause?: unknown): ProcedoError {
  const message = `The journal of run "${runId}" cannot be exported as a true record. ${why} Compare it with a backup.`;
  return new ProcedoError("journal_broken", message, { cause });
}
