import { createHmac } from "node:crypto";
import { ProcedoError } from "@procedo/contract";
import type { Storage } from "@procedo/storage";

const kind = "engine";
const id = "master-key-check";

/**
 * Checks that the engine has the master key that the workspace was written with, before it claims a run. With another
 * key, no journal can be verified and no secret decrypted. The first engine stores the mark that later ones are
 * compared with.
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
