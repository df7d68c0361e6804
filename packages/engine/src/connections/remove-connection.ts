import { ProcedoError } from "@procedo/contract";
import type { Storage } from "@procedo/storage";
import { actor, authorize, type Principal } from "../access/principal.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import type { Manifests } from "./private/manifests.ts";
import type { ConnectionUses } from "./connection-uses.ts";
import type { Grants } from "../grants/grants.ts";
import type { Integration } from "../integrations/integration.ts";
import type { SecretBox } from "../secrets/secret-box.ts";
import type { ConnectionDocuments } from "./connection-documents.ts";
import { assertUnused } from "./connection-in-use.ts";
import { oauthClientOf } from "./oauth-client-of.ts";
import { connectionBody, connectionKind, connectionNotFound, isIn, type ConnectionPlace } from "./connection-record.ts";

/** Attempts against concurrent changes of the connection. */
const maxTries = 5;

/** See `Connections.remove`. */
export async function removeConnection(
  ports: {
    readonly storage: Pick<Storage, "records">;
    readonly workspace: string;
    readonly audit: AuditLog;
    readonly uses: ConnectionUses;
    readonly documents: Pick<ConnectionDocuments, "removeOthers">;
    readonly manifests: Pick<Manifests, "removeAll">;
    readonly grants: Pick<Grants, "drop">;
    readonly integrations: ReadonlyMap<string, Integration>;
    readonly secretBox: SecretBox;
  },
  {
    environment,
    connectionId,
    by,
    force = false,
  }: ConnectionPlace & { readonly by: Principal; readonly force?: boolean },
): Promise<void> {
  authorize(by, "manage", environment);
  const { records } = ports.storage;
  const address = { workspace: ports.workspace, kind: connectionKind, id: connectionId };
  for (let tries = 0; tries < maxTries; tries++) {
    const row = await records.get(address);
    // The removal of a connection of the other environment is forbidden; a read of it only finds nothing.
    if (row?.environment !== undefined && row.environment !== environment) authorize(by, "manage", row.environment);
    if (row === undefined || !isIn(environment, row)) throw connectionNotFound(environment, connectionId);
    const body = connectionBody(row);
    await assertUnused(ports.uses, { environment: row.environment, body, change: "removed", force, by });
    const subject = `${row.environment ?? "private"}/${connectionId}`;
    const fact = { ...actor(by), action: "connection.removed", subject };
    // The checks hold for this revision only: a token for the other environment may have been created since.
    const ifRevision = row.revision;
    const result = await ports.audit.record(fact, (audit) => records.remove({ ...address, ifRevision, audit }));
    if (result === "not_found") throw connectionNotFound(environment, connectionId);
    if (result === "conflict") continue;
    if (row.environment === undefined) return await ports.manifests.removeAll(connectionId);
    const place = { environment, connectionId };
    await ports.documents.removeOthers(place, new Set());
    // Tokens must not outlive their connection.
    await ports.grants.drop(place, oauthClientOf(ports, place, body), undefined);
    return;
  }
  throw new ProcedoError(
    "revision_conflict",
    "Other requests changed this connection at the same time. Load it and try again.",
  );
}
