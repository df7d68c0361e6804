import type { Environment } from "@procedo/contract";
import { actor, authorize, refuseRevoked } from "../access/principal.ts";
import type { Ids } from "../ports/ids.ts";
import { acceptConnection } from "./accept-connection.ts";
import { bodyOf, inboundAddressOf, type ChangePorts } from "./change-connection.ts";
import { checkConnectionName, connectionRecord, nameTaken, type SavedConnection } from "./connection-record.ts";
import { connectionSecrets } from "./connection-secrets.ts";
import type { NewConnection } from "./new-connection.ts";

export interface CreatePorts extends Omit<ChangePorts, "uses" | "find"> {
  readonly ids: Ids;
}

/** See `Connections.create`; for all but private connections. */
export async function createConnection(
  ports: CreatePorts,
  {
    name,
    integration: integrationName,
    environment,
    settings = {},
    secrets = {},
    by,
  }: NewConnection & { readonly environment: Environment },
): Promise<SavedConnection> {
  const { storage, workspace, documents } = ports;
  authorize(by, "manage", environment);
  checkConnectionName(name);
  const integration = ports.integrationOf(integrationName);
  const accepted = await acceptConnection(ports.accepting, integration, {
    environment,
    settings,
    secrets,
    before: undefined,
  });
  // Fetching a document takes seconds. A key that was revoked meanwhile stores neither connection nor document.
  refuseRevoked(by);
  const place = { environment, connectionId: ports.ids("con") };
  const sealed = connectionSecrets(ports.secretBox, workspace, environment, place.connectionId).seal(secrets);
  const created = {
    name,
    integration: integrationName,
    secrets: sealed,
    ...inboundAddressOf(ports, integration, environment, {}),
    createdBy: actor(by).by,
    createdAtMs: ports.clock.now(),
  };
  const body = await bodyOf(ports, place, created, accepted);
  const record = connectionRecord(workspace, environment, place.connectionId, body);
  const fact = { ...actor(by), action: "connection.created", subject: `${environment}/${name}` };
  const result = await ports.audit
    .record(fact, (audit) => storage.records.put({ record, ifRevision: 0, audit }))
    .catch(async (error: unknown) => {
      if (by.isRevoked?.() === true) await documents.removeOthers(place, new Set());
      throw error;
    });
  if (result.status !== "stored") {
    await documents.removeOthers(place, new Set());
    throw nameTaken([environment], name);
  }
  return { ...(await ports.show(place, body)), problems: accepted.documented?.problems ?? [] };
}
