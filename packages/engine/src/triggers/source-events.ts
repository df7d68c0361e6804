import type { Environment, IntegrationSource, JsonObject } from "@procedo/contract";
import type { Storage } from "@procedo/storage";
import { connectionBody, connectionKind, nameKey } from "../connections/connection-record.ts";
import type { InboundIntegration } from "../integrations/inbound-integration.ts";
import type { Integration } from "../integrations/integration.ts";

/** The connection that a trigger names. */
export interface SourceConnection {
  readonly connectionId: string;
  /** `undefined` if its service sends no events. */
  readonly inbound: InboundIntegration | undefined;
}

export interface SourceEventPorts {
  readonly storage: Pick<Storage, "records">;
  readonly workspace: string;
  readonly integrations: ReadonlyMap<string, Integration>;
}

/** Finds the connection of that name; `undefined` when there is none in the environment. */
export async function sourceConnection(
  { storage, workspace, integrations }: SourceEventPorts,
  environment: Environment,
  name: string,
): Promise<SourceConnection | undefined> {
  const uniqueKey = nameKey(workspace, environment, name);
  const row = await storage.records.find({ kind: connectionKind, uniqueKey });
  if (row === undefined) return undefined;
  const integration = integrations.get(connectionBody(row).integration);
  return { connectionId: row.id, inbound: integration?.kind === "coded" ? integration.inbound : undefined };
}

/** The schema of the events of a trigger, if all of them have the same one. */
export function eventSchemaOf(
  { events }: IntegrationSource,
  inbound: InboundIntegration | undefined,
): JsonObject | undefined {
  const schemas = (inbound?.events ?? []).flatMap(({ type, schema }) => (events.includes(type) ? [schema] : []));
  const [first] = schemas;
  return schemas.every((schema) => JSON.stringify(schema) === JSON.stringify(first)) ? first : undefined;
}
