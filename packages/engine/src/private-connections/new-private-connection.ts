import { privateConnectionIntegration, ProcedoError } from "@procedo/contract";
import type { Storage } from "@procedo/storage";
import { actor, authorize } from "../access/principal.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import {
  checkConnectionName,
  connectionRecord,
  nameTaken,
  shownConnection,
  type ConnectionBody,
  type SavedConnection,
} from "../connections/connection-record.ts";
import type { NewConnection } from "../connections/connections.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Random } from "../ports/random.ts";
import { digestOfToken, newToken } from "./client-token.ts";

/**
 * Creates a private connection: a name, and a token for each environment.
 *
 * @throws ProcedoError `permission_denied`, `name_taken`, `invalid_input` for anything else that was given
 */
export async function newPrivateConnection(
  ports: {
    readonly storage: Pick<Storage, "records">;
    readonly workspace: string;
    readonly audit: AuditLog;
    readonly ids: Ids;
    readonly random: Pick<Random, "bytes">;
    readonly clock: Pick<Clock, "now">;
  },
  { name, environment, settings = {}, secrets = {}, by }: NewConnection,
): Promise<SavedConnection> {
  authorize(by, "manage");
  checkConnectionName(name);
  refuseGiven("environment", environment === undefined);
  refuseGiven("settings", Object.keys(settings).length === 0);
  refuseGiven("secrets", Object.keys(secrets).length === 0);
  const tokens = { sandbox: newToken("sandbox", ports.random), live: newToken("live", ports.random) };
  const body: ConnectionBody = {
    name,
    integration: privateConnectionIntegration,
    settings: {},
    secrets: {},
    createdAtMs: ports.clock.now(),
    tokens: { sandbox: digestOfToken(tokens.sandbox), live: digestOfToken(tokens.live) },
  };
  const connectionId = ports.ids("con");
  const record = connectionRecord(ports.workspace, undefined, connectionId, body);
  const fact = { ...actor(by), action: "connection.created", subject: `private/${name}` };
  const result = await ports.audit.record(fact, (audit) => ports.storage.records.put({ record, ifRevision: 0, audit }));
  if (result.status !== "stored") throw nameTaken(undefined, name);
  return { ...shownConnection(connectionId, undefined, body), problems: [], tokens };
}

function refuseGiven(field: string, isFree: boolean): void {
  if (isFree) return;
  const message = `A private connection is created with its name only; leave "${field}" out.`;
  throw new ProcedoError("invalid_input", message, { details: [{ path: `/${field}`, message: "must be left out" }] });
}
