import { createHash } from "node:crypto";
import * as z from "zod";
import { environmentSchema, type Environment, type JsonObject } from "@procedo/contract";
import type { AuditEntry, RunHead } from "@procedo/storage";
import { readChange } from "./changes.ts";

/** The action of the chain's entries that record archived runs and their archive files. */
export const archiveAction = "runs.archived";

const detailsSchema = z.strictObject({
  environment: environmentSchema,
  /** The file in the archive that holds these runs. It may hold others. */
  file: z.string(),
  /** SHA-256 of the file, in hexadecimal, as `sha256sum` prints it. */
  fileDigest: z.string(),
  runs: z.int(),
  /** Digest over the heads of these runs, in the order in which the runs ended. */
  headsDigest: z.string(),
});

export type ArchiveDetails = z.infer<typeof detailsSchema>;

/** The details of the audit entry for a set of archived runs. */
export function archiveDetails(
  environment: Environment,
  file: { readonly name: string; readonly digest: string },
  heads: readonly RunHead[],
): JsonObject {
  const digest = createHeadsDigest();
  heads.forEach((head) => digest.add(head));
  const { runs, headsDigest } = digest.end();
  return { environment, file: file.name, fileDigest: file.digest, runs, headsDigest };
}

/** `undefined` when the entry does not record an archive, or cannot be read. */
export function readArchiveDetails(entry: AuditEntry): ArchiveDetails | undefined {
  const change = readChange(entry);
  return change?.action === archiveAction ? detailsSchema.safeParse(change.details).data : undefined;
}

/** A digest over heads that are added one at a time. */
export interface HeadsDigest {
  add(head: RunHead): void;
  end(): Pick<ArchiveDetails, "runs" | "headsDigest">;
}

export function createHeadsDigest(): HeadsDigest {
  const digest = createHash("sha256");
  let runs = 0;
  return {
    add: ({ runId, seq, hash, endedAtMs }) => {
      digest.update(`${JSON.stringify([runId, seq, hash, endedAtMs])}\n`);
      runs += 1;
    },
    end: () => ({ runs, headsDigest: digest.digest("base64url") }),
  };
}
