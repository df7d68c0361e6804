import type { Storage } from "@procedo/storage";
import { actor, authorize, type Principal } from "../access/principal.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import type { Manifests } from "../private-connections/manifests.ts";
import type { FindUses } from "../procedures/connection-uses.ts";
import type { ConnectionDocuments } from "./connection-documents.ts";
import { refuseWhereUsed } from "./connection-in-use.ts";
import { connectionBody, connectionKind, connectionNotFound, isIn, type ConnectionPlace } from "./connection-record.ts";

/** See `Connections.remove`. */
export async function removeConnection(
  ports: {
    readonly storage: Pick<Storage, "records">;
    readonly workspace: string;
    readonly audit: AuditLog;
    readonly findUses: FindUses;
    readonly documents: Pick<ConnectionDocuments, "removeOthers">;
    readonly manifests: Pick<Manifests, "removeAll">;
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
  const row = await records.get(address);
  // Of the other environment: to delete it is forbidden, where to read it is to find nothing.
  if (row?.environment !== undefined && row.environment !== environment) authorize(by, "manage", row.environment);
  if (row === undefined || !isIn(environment, row)) throw connectionNotFound(environment, connectionId);
  const { name } = connectionBody(row);
  await refuseWhereUsed(ports.findUses, { environment: row.environment, name, change: "removed", force, by });
  const subject = `${row.environment ?? "private"}/${connectionId}`;
  const fact = { ...actor(by), action: "connection.removed", subject };
  const result = await ports.audit.record(fact, (audit) => records.remove({ ...address, audit }));
  if (result === "not_found") throw connectionNotFound(environment, connectionId);
  if (row.environment === undefined) await ports.manifests.removeAll(connectionId);
  else await ports.documents.removeOthers({ environment, connectionId }, new Set());
}
