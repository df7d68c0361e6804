import type { AuditEntry, Storage } from "@procedo/storage";
import * as z from "zod";
import { bodyDigest } from "../journal/chain.ts";
import type { AddProblem } from "./audit-report.ts";
import { readChange } from "./changes.ts";

const publishedSchema = z.object({ digest: z.string() });

/** Checks that the document whose publication an entry records is still the stored one. */
export async function verifyDocument(
  ports: { readonly storage: Pick<Storage, "procedures">; readonly workspace: string },
  entry: AuditEntry,
  add: AddProblem,
): Promise<void> {
  const change = readChange(entry);
  if (change?.action !== "procedure.published") return;
  const published = publishedSchema.safeParse(change.details).data;
  const at = change.subject.lastIndexOf("@");
  const [procedureId, version] = [change.subject.slice(0, at), change.subject.slice(at + 1)];
  const row = await ports.storage.procedures.version({ workspace: ports.workspace, procedureId, version });
  if (row !== undefined && published !== undefined && bodyDigest(row.document) === published.digest) return;
  const message = `Version "${version}" of "${procedureId}" is not the document that was published in entry ${entry.seq}.`;
  add({ kind: "document_changed", seq: entry.seq, message });
}
