import type { ClientPresence, InvocationRow, InvocationStore, Scope } from "@procedo/storage";
import { assertStorable, lapsedKeyOf, maxClientsKept } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import type { Posts, StoredRun } from "./sqlite-inbox.ts";
import { auditChain } from "./sqlite-audit.ts";
import { sqliteInvocationQueue } from "./sqlite-invocation-queue.ts";
import { notifiedColumns } from "./sqlite-queue.ts";
import { prepare, prepareTuple } from "./statement.ts";

const clientForgottenAfterMs = 24 * 60 * 60 * 1000;

interface StoredInvocation {
  readonly invocation: number;
  readonly run: number;
  readonly runId: string;
  readonly runEnded: 0 | 1;
  readonly effectKey: string;
  readonly idempotent: 0 | 1;
  readonly status: InvocationRow["status"];
  readonly leaseToken: string | null;
  readonly deadlineMs: number;
}

/** The state of a call and its waiting run that a result needs. */
interface SettledInvocation extends StoredRun {
  readonly invocation: number;
  readonly effect_key: string;
  readonly lease_token: string | null;
  readonly invocation_status: InvocationRow["status"];
}

export function sqliteInvocations(context: SqliteContext, { postOne, notify }: Posts): InvocationStore {
  const { db, now, reader, writer, scopes } = context;
  const queue = sqliteInvocationQueue(context);
  const audit = auditChain(context);

  const select = `SELECT invocation, run, run_id AS "runId", ended_at_ms IS NOT NULL AS "runEnded",
            effect_key AS "effectKey", idempotent, invocations.status AS status, lease_token AS "leaseToken",
            deadline_ms AS "deadlineMs"
       FROM invocations JOIN runs USING (run)`;
  const selectOne = prepare<StoredInvocation>(
    db,
    `${select} WHERE invocation_id = ? AND invocations.scope = ? AND connection_id = ?`,
  );
  const selectSettled = prepare<SettledInvocation>(
    db,
    `SELECT invocation, effect_key, lease_token, invocations.status AS invocation_status, ${notifiedColumns}
       FROM invocations JOIN runs USING (run) WHERE invocation_id = ? AND invocations.scope = ? AND connection_id = ?`,
  );
  const selectEffect = prepare<StoredInvocation>(
    db,
    `${select} WHERE run = (SELECT run FROM runs WHERE run_id = ? AND scope = ?) AND effect_key = ?`,
  );
  const selectOfRun = prepare<Omit<InvocationRow, "idempotent"> & { readonly idempotent: 0 | 1 }>(
    db,
    `SELECT invocation_id AS "invocationId", connection_id AS "connectionId", function_name AS "functionName",
            idempotent, effect_key AS "effectKey", created_at_ms AS "createdAtMs", deadline_ms AS "deadlineMs", status,
            CASE WHEN status IN ('leased', 'acknowledged') THEN lease_ends_at_ms END AS "leaseEndsAtMs"
       FROM invocations WHERE run = (SELECT run FROM runs WHERE run_id = ? AND scope = ?) ORDER BY invocation`,
  );
  const extendLease = prepare(
    db,
    `UPDATE invocations SET status = 'acknowledged', lease_ends_at_ms = ?,
                            next = CASE WHEN idempotent THEN 'lease' ELSE 'lapse' END
      WHERE invocation = ?`,
  );
  const end = prepare(db, "UPDATE invocations SET status = ?, next = NULL, payload = NULL WHERE invocation = ?");
  const ofOpenRun = "(SELECT ended_at_ms FROM runs WHERE runs.run = invocations.run) IS NULL";
  const markUncertain = prepare(
    db,
    `UPDATE invocations SET status = 'acknowledged', lease_ends_at_ms = 0, next = 'lapse'
      WHERE invocation IN (
        SELECT invocation FROM invocations WHERE scope = ?1 AND next = 'lease' AND NOT idempotent AND ${ofOpenRun}
         UNION ALL
        SELECT invocation FROM invocations WHERE scope = ?1 AND next = 'lapse' AND lease_ends_at_ms <> 0 AND ${ofOpenRun}
         LIMIT +?2)`,
  );
  // Open invocations that can lapse are in one index, the other open invocations in another.
  const selectBacklog = prepareTuple<[queued: number, leased: number, oldestQueuedAtMs: number | null]>(
    db,
    `WITH open (status, created_at_ms) AS (
       SELECT invocations.status, invocations.created_at_ms
         FROM invocations INDEXED BY invocations_to_lease JOIN runs USING (run)
        WHERE next = 'lease' AND invocations.scope = ?1 AND connection_id = ?2 AND deadline_ms > ?3
          AND ended_at_ms IS NULL
       UNION ALL
       SELECT invocations.status, invocations.created_at_ms
         FROM invocations INDEXED BY invocations_to_lapse JOIN runs USING (run)
        WHERE next = 'lapse' AND invocations.scope = ?1 AND connection_id = ?2 AND deadline_ms > ?3
          AND ended_at_ms IS NULL)
     SELECT count(*) FILTER (WHERE status = 'queued'), count(*) FILTER (WHERE status <> 'queued'),
            min(created_at_ms) FILTER (WHERE status = 'queued')
       FROM open`,
  );
  const putClient = prepare(
    db,
    `INSERT INTO connection_clients (scope, connection_id, manifest, client_id, version, last_seen_ms)
     VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (scope, connection_id, manifest, client_id)
        DO UPDATE SET version = excluded.version, last_seen_ms = excluded.last_seen_ms`,
  );
  const forgetClients = prepare(
    db,
    "DELETE FROM connection_clients WHERE scope = ? AND connection_id = ? AND last_seen_ms < ?",
  );
  const forgetCrowd = prepare(
    db,
    `DELETE FROM connection_clients WHERE rowid IN (
       SELECT rowid FROM connection_clients WHERE scope = ?1 AND connection_id = ?2 AND (manifest, client_id) <> (?3, ?4)
        ORDER BY last_seen_ms DESC, manifest, client_id LIMIT -1 OFFSET +?5)`,
  );
  const selectClients = prepare<Omit<ClientPresence, "version"> & { readonly version: string | null }>(
    db,
    `SELECT manifest, client_id AS "clientId", version, last_seen_ms AS "lastSeenMs" FROM connection_clients
      WHERE scope = ? AND connection_id = ? ORDER BY last_seen_ms DESC, manifest, client_id`,
  );

  function find(scope: Scope, connectionId: string, invocationId: string): StoredInvocation | undefined {
    const number = scopes.find(scope);
    return number === undefined ? undefined : selectOne.get(invocationId, number, connectionId);
  }

  return {
    async lease(request) {
      assertStorable(request.leaseToken);
      // Most polls find nothing, and a write would occupy the disk.
      const scope = await reader.read(() => {
        const number = scopes.find(request.scope);
        return number !== undefined && queue.isAny(number, request) ? number : undefined;
      });
      return scope === undefined ? [] : writer.write(() => queue.lease(scope, request));
    },

    extend: ({ scope, connectionId, leases, leaseMs }) =>
      writer.write(() => {
        const atMs = now();
        return leases.map(({ invocationId, leaseToken }) => {
          const found = find(scope, connectionId, invocationId);
          if (found === undefined || found.leaseToken !== leaseToken || found.runEnded === 1) return "lost";
          if (found.status === "lapsed") return "lapsed";
          const held = found.status === "acknowledged" || (found.status === "leased" && found.deadlineMs > atMs);
          if (!held) return "lost";
          extendLease.run(atMs + leaseMs, found.invocation);
          return "held";
        });
      }),

    async settle({ scope, connectionId, invocationId, leaseToken, body, claimFor, next }) {
      assertStorable([leaseToken, body]);
      return writer.write((turn) => {
        const number = scopes.find(scope);
        const found = number === undefined ? undefined : selectSettled.get(invocationId, number, connectionId);
        if (found === undefined) return { status: "not_found" };
        const same = found.lease_token === leaseToken;
        if (found.invocation_status === "settled") return { status: same ? "repeated" : "stale" };
        if (found.invocation_status === "withdrawn" || found.ended_at_ms !== null) return { status: "ended" };
        if (!same) return { status: "stale" };
        const continuation = { ...(claimFor !== undefined && { claimFor }), ...(next !== undefined && { next }) };
        const posted = notify(turn, found, {
          effectKey: found.effect_key,
          body,
          closeReview: "settled",
          ...continuation,
        });
        if (posted.status !== "accepted") return { status: "ended" };
        end.run("settled", found.invocation);
        return posted;
      });
    },

    async expireLeases({ workspace, limit, body }) {
      assertStorable(body);
      if (!(await reader.read(() => queue.anyLapsed(workspace)))) return [];
      return writer.write((turn) =>
        queue.lapsed(workspace, limit).map(({ invocation, invocationId, runId, effectKey, ...found }) => {
          const scope = scopes.get(found.scope);
          end.run("lapsed", invocation);
          postOne(turn, { scope, runId, effectKey: lapsedKeyOf(effectKey), body });
          return { scope, runId, invocationId };
        }),
      );
    },

    withdraw: ({ scope, runId, effectKey }) =>
      writer.write(() => {
        const number = scopes.find(scope);
        const found = number === undefined ? undefined : selectEffect.get(runId, number, effectKey);
        if (found === undefined) return "not_found";
        const { status, idempotent, invocation } = found;
        if (status !== "queued" && status !== "leased") return status;
        if (status === "leased" && idempotent === 1) return "acknowledged";
        end.run("withdrawn", invocation);
        return "withdrawn";
      }),

    async markUncertain({ scope, limit, audit: entry }) {
      assertStorable(entry);
      return writer.write(() => {
        if (!audit.follows(scope.workspace, entry)) return { status: "audit_behind" };
        const number = scopes.find(scope);
        const invocations = number === undefined ? 0 : Number(markUncertain.run(number, limit).changes);
        audit.append(scope.workspace, entry);
        return { status: "marked", invocations };
      });
    },

    ofRun: ({ scope, runId }) =>
      reader.read(() => {
        const number = scopes.find(scope);
        const rows = number === undefined ? [] : selectOfRun.all(runId, number);
        return rows.map((row) => ({
          ...row,
          idempotent: row.idempotent === 1,
          leaseEndsAtMs: row.leaseEndsAtMs ?? undefined,
        }));
      }),

    backlog: ({ scope, connectionId }) =>
      reader.read(() => {
        const number = scopes.find(scope);
        const found = number === undefined ? undefined : selectBacklog.get(number, connectionId, now());
        const [queued, leased, oldest] = found ?? [0, 0, null];
        return { queued, leased, oldestQueuedAtMs: oldest ?? undefined };
      }),

    async recordClient({ scope, connectionId, manifest, clientId = "", version }) {
      assertStorable([scope, connectionId, manifest, clientId, version]);
      await writer.write(() => {
        const number = scopes.intern(scope);
        const atMs = now();
        putClient.run(number, connectionId, manifest, clientId, version ?? null, atMs);
        forgetClients.run(number, connectionId, atMs - clientForgottenAfterMs);
        forgetCrowd.run(number, connectionId, manifest, clientId, maxClientsKept - 1);
      });
    },

    listClients: ({ scope, connectionId }) =>
      reader.read(() => {
        const number = scopes.find(scope);
        const rows = number === undefined ? [] : selectClients.all(number, connectionId);
        return rows.map((row) => ({ ...row, version: row.version ?? undefined }));
      }),
  };
}
