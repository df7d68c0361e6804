import type { ClientPresence, InvocationStore } from "@procedo/storage";
import { assertStorable, maxClientsKept } from "@procedo/storage";
import type { PostgresContext } from "./context.ts";
import type { Statement } from "./statement.ts";
import { sqlNow } from "./statement.ts";

const forgottenAfterMs = 24 * 60 * 60 * 1000;

/** Records the clients of private connections, with the times of their latest polls. */
export function connectionClients({
  database,
  nowMs,
}: PostgresContext): Pick<InvocationStore, "recordClient" | "listClients"> {
  const { schema } = database;
  const put: Statement = {
    name: "clients-record",
    text: `WITH clock AS MATERIALIZED (SELECT ${sqlNow("$7")} AS now_ms),
                crowd AS MATERIALIZED (
                  SELECT manifest, client_id FROM ${schema}.connection_clients
                   WHERE workspace = $1 AND environment = $2 AND connection_id = $3
                     AND (manifest, client_id) IS DISTINCT FROM ($4, $5)
                   ORDER BY last_seen_ms DESC, manifest, client_id OFFSET ${maxClientsKept - 1}
                ),
                forgotten AS (
                  DELETE FROM ${schema}.connection_clients
                   WHERE workspace = $1 AND environment = $2 AND connection_id = $3
                     AND (manifest, client_id) IS DISTINCT FROM ($4, $5)
                     AND (last_seen_ms < (SELECT now_ms FROM clock) - ${forgottenAfterMs}
                          OR (manifest, client_id) IN (SELECT manifest, client_id FROM crowd))
                )
           INSERT INTO ${schema}.connection_clients
             (workspace, environment, connection_id, manifest, client_id, version, last_seen_ms)
           SELECT $1, $2, $3, $4, $5, $6, now_ms FROM clock
               ON CONFLICT (workspace, environment, connection_id, manifest, client_id)
                  DO UPDATE SET version = excluded.version, last_seen_ms = excluded.last_seen_ms`,
  };
  const select: Statement = {
    name: "clients-list",
    text: `SELECT manifest, client_id AS "clientId", version, last_seen_ms AS "lastSeenMs"
             FROM ${schema}.connection_clients
            WHERE workspace = $1 AND environment = $2 AND connection_id = $3
            ORDER BY last_seen_ms DESC, manifest, client_id`,
  };

  return {
    async recordClient({ scope, connectionId, manifest, clientId = "", version }) {
      assertStorable([scope, connectionId, manifest, clientId, version]);
      const { workspace, environment } = scope;
      await database.query(put, [workspace, environment, connectionId, manifest, clientId, version ?? null, nowMs()]);
    },

    async listClients({ scope, connectionId }) {
      const values = [scope.workspace, scope.environment, connectionId];
      const rows = await database.query<Omit<ClientPresence, "version"> & { version: string | null }>(select, values);
      return rows.map((row) => ({ ...row, version: row.version ?? undefined }));
    },
  };
}
