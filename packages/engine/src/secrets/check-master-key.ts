import { createHmac } from "node:crypto";
import { ProcedoError } from "@procedo/contract";
import type { Storage } from "@procedo/storage";

const kind = "engine";
const id = "master-key-check";

/**
 * Refuses an engine whose master key is not the one that the workspace was written with, before it takes a run: with
 * another key every journal looks broken, and none of the secrets opens. The first engine leaves the mark.
 *
 * @throws ProcedoError `invalid_configuration`
 */
export async function checkMasterKey(
  storage: Pick<Storage, "records">,
  workspace: string,
  chainKey: Uint8Array,
): Promise<void> {
  const mark = createHmac("sha256", chainKey).update(`${id}\n${workspace}`).digest("base64url");
  const address = { workspace, kind, id };
  const record = { ...address, environment: undefined, body: JSON.stringify({ mark }), uniqueKeys: [], keys: [] };
  const known = await storage.records.get(address);
  if (known === undefined) {
    const put = await storage.records.put({ record, ifRevision: 0 });
    if (put.status === "stored") return;
  }
  const stored = known ?? (await storage.records.get(address));
  if (stored?.body === record.body) return;
  throw new ProcedoError(
    "invalid_configuration",
    `Workspace "${workspace}" was written with another master key. Start with that key, the same on every node, or with another storage.`,
  );
}
