import type { Environment } from "@procedo/contract";
import type { Storage } from "@procedo/storage";
import type { Integration } from "../integrations/integration.ts";
import { connectionBody, connectionKind, environmentsOf } from "./connection-record.ts";

/**
 * The names of connections in one environment: at most 500 stored ones, and the integrations that need no connection.
 */
export type ConnectionNames = (environment: Environment) => Promise<readonly string[]>;

const pageSize = 100;
const maxRead = 500;

export function createConnectionNames(ports: {
  readonly storage: Pick<Storage, "records">;
  readonly workspace: string;
  readonly integrations: ReadonlyMap<string, Integration>;
}): ConnectionNames {
  const { storage, workspace, integrations } = ports;
  const implied = [...integrations.values()].flatMap((integration) =>
    integration.kind === "coded" && !integration.needsConnection ? [integration.name] : [],
  );
  return async (environment) => {
    const names = new Set(implied);
    let read = 0;
    for (let cursor: string | undefined; read < maxRead;) {
      const page = { workspace, kind: connectionKind, limit: pageSize, ...(cursor !== undefined && { cursor }) };
      const { items, nextCursor } = await storage.records.list(page);
      for (const row of items) {
        const body = connectionBody(row);
        if (environmentsOf(row.environment, body).includes(environment)) names.add(body.name);
      }
      read += items.length;
      if (nextCursor === undefined) break;
      cursor = nextCursor;
    }
    return [...names];
  };
}
