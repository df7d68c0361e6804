import { ProcedoError } from "@procedo/contract";
import type { DeliveryRow, DeliveryStore, ResendResult, Scope } from "@procedo/storage";
import { assertStorable, deliveryIdOf } from "@procedo/storage";
import type { PostgresContext } from "./context.ts";
import type { Transaction } from "./database.ts";
import { deliveryAttempts, moveKeptAttempt, takeBackAttempt } from "./delivery-attempts.ts";
import { claimOfDelivery, isOneOf, leaveClaims } from "./delivery-claims.ts";
import { matchesUnindexed } from "./unindexed.ts";
import { auditChain } from "./postgres-audit.ts";
import { holdClaims, postgresOutbox } from "./postgres-outbox.ts";
import { postgresSettle } from "./postgres-settle.ts";
import { resendUndelivered } from "./resend-undelivered.ts";
import { pageOf } from "./sql-page.ts";
import type { Statement } from "./statement.ts";

type Nullable<Row> = {
  readonly [name in keyof Row]: undefined extends Row[name] ? NonNullable<Row[name]> | null : Row[name];
};

interface StoredDelivery extends Nullable<DeliveryRow> {
  readonly number: number;
  /** `null`: not claimed. */
  readonly leaseEndsAtMs: number | null;
  readonly resentAtMs: number | null;
}

export function postgresDeliveries(context: PostgresContext): DeliveryStore {
  const { database } = context;
  const { schema } = database;
  const audit = auditChain(context);

  const select = `SELECT delivery AS number, delivery_id AS "deliveryId", webhook_id AS "webhookId",
            event_id AS "eventId", run_id AS "runId", event, created_at_ms AS "createdAtMs", data, status,
            attempt_count + (lease_ends_at_ms IS NOT NULL)::integer AS "attemptCount", url,
            response_code AS "responseCode", error, delivered_at_ms AS "deliveredAtMs",
            coalesce(lease_ends_at_ms, due_at_ms) AS "dueAtMs", lease_ends_at_ms AS "leaseEndsAtMs",
            resent_at_ms AS "resentAtMs"
       FROM ${schema}.deliveries JOIN ${schema}.payloads USING (payload) ${claimOfDelivery(schema)}`;
  const named = `delivery_id = $1 AND ${matchesUnindexed("workspace, environment, webhook_id", "$2, $3, $4")}`;
  const selectOne: Statement = { name: "deliveries-get", text: `${select} WHERE ${named}` };
  const lockOne: Statement = {
    name: "deliveries-lock",
    text: `SELECT delivery FROM ${schema}.deliveries WHERE ${named} FOR UPDATE`,
  };
  const selectPage: Statement = {
    name: "deliveries-list",
    text: `${select} WHERE workspace = $1 AND environment = $2 AND webhook_id = $3
                       AND (created_at_ms, delivery) < ($4, $5)
            ORDER BY created_at_ms DESC, delivery DESC LIMIT $6`,
  };
  const insert: Statement = {
    name: "deliveries-post",
    text: `WITH payload AS (INSERT INTO ${schema}.payloads (data) VALUES ($8) RETURNING payload)
           INSERT INTO ${schema}.deliveries (delivery_id, workspace, environment, webhook_id, event_id, event,
                                             created_at_ms, payload, due_at_ms, manual)
           SELECT $1, $2, $3, $4, $5, $6, $7, payload, $9, true FROM payload
           ON CONFLICT DO NOTHING RETURNING delivery_id`,
  };
  const markResent: Statement = {
    name: "deliveries-resent",
    text: `UPDATE ${schema}.deliveries SET resent_at_ms = $2 WHERE delivery_id = $1`,
  };
  const moveAttempt: Statement = { name: "deliveries-move-attempt", text: moveKeptAttempt(schema, "$1") };
  const takeAttemptBack: Statement = { name: "deliveries-take-attempt-back", text: takeBackAttempt(schema, "$1") };
  // A waiting one keeps its own schedule unless it is asked for as manual; one that has ended gets this one attempt.
  const makeDue: Statement = {
    name: "deliveries-make-due",
    text: `UPDATE ${schema}.deliveries
              SET resent_at_ms = $2, manual = manual OR $3 OR status <> 'pending', status = 'pending',
                  places_used = CASE status WHEN 'pending' THEN places_used ELSE 0 END,
                  due_at_ms = least(due_at_ms, $2), accepted_took_ms = NULL, accepted_manual = NULL
            WHERE delivery_id = $1`,
  };
  // Locked in the order in which senders settle. Once the claims are, nothing that is pending changes meanwhile.
  const lockClaims: Statement = {
    name: "deliveries-lock-claims",
    text: `SELECT claim FROM ${schema}.delivery_claims WHERE workspace = $1 AND environment = $2
            ORDER BY claim FOR UPDATE`,
  };
  const lockPending: Statement = {
    name: "deliveries-lock-pending",
    text: `SELECT delivery_id FROM ${schema}.deliveries
            WHERE delivery_id = ANY (ARRAY(SELECT delivery_id FROM ${schema}.deliveries
                                            WHERE workspace = $1 AND environment = $2
                                              AND due_at_ms IS NOT NULL LIMIT $3))
              AND status = 'pending'
            ORDER BY delivery_id FOR UPDATE`,
  };
  const endPending: Statement = {
    name: "deliveries-end-pending",
    text: `WITH members AS MATERIALIZED (
             SELECT workspace, claim, unnest(deliveries) AS delivery FROM ${schema}.delivery_claims
              WHERE workspace = $3 AND environment = $4
           ), ended AS (
             UPDATE ${schema}.deliveries
                SET status = 'failed', due_at_ms = NULL, manual = false, error = $2, epoch = epoch + claimed,
                    attempt_count = attempt_count + claimed
               FROM (SELECT delivery_id, (${isOneOf("delivery", "SELECT delivery FROM members")})::integer AS claimed
                       FROM ${schema}.deliveries WHERE delivery_id = ANY ($1::text[])) AS pending
              WHERE deliveries.delivery_id = pending.delivery_id
             RETURNING delivery
           ), ${leaveClaims(schema, "members", "ended")}
           SELECT count(*) FROM ended`,
  };

  async function read(tx: Transaction, scope: Scope, webhookId: string, deliveryId: string): Promise<DeliveryRow> {
    const values = [deliveryId, scope.workspace, scope.environment, webhookId];
    const [row] = await tx.query<StoredDelivery>(selectOne, values);
    if (row === undefined) throw new ProcedoError("internal", `Delivery "${deliveryId}" was written and is gone.`);
    return rowOf(row);
  }

  /**
   * Whether one that is pending is claimed can be told only while nobody claims, so that the claims of its workspace wait.
   * One that has ended stands in no claim, and only its row is locked: many may be sent again at once.
   *
   * @returns `undefined`: it has ended and was sent again since it was looked at, and it has to be known whether it is claimed
   */
  async function resendOne(
    tx: Transaction,
    { scope, webhookId, deliveryId, repeatMs, manual = false, audit: entry }: Parameters<DeliveryStore["resend"]>[0],
    mayBePending: boolean,
  ): Promise<ResendResult | undefined> {
    const values = [deliveryId, scope.workspace, scope.environment, webhookId];
    const find = async (): Promise<StoredDelivery | undefined> =>
      (await tx.query<StoredDelivery>(selectOne, values))[0];
    const isRepeated = ({ resentAtMs }: StoredDelivery): boolean =>
      resentAtMs !== null && tx.nowMs - resentAtMs < repeatMs;

    const seen = await find();
    if (seen === undefined) return { status: "not_found" };
    if (isRepeated(seen)) return { status: "repeated", delivery: rowOf(seen) };
    const holdsClaims = mayBePending || seen.status === "pending";
    if (holdsClaims) await holdClaims(tx, schema, scope.workspace);
    await tx.query(lockOne, values);
    const found = await find();
    if (found === undefined) return { status: "not_found" };
    if (isRepeated(found)) return { status: "repeated", delivery: rowOf(found) };
    if (found.status === "pending" && !holdsClaims) return undefined;
    // The history comes before the audit chain, in the order in which everybody locks.
    if (found.status === "delivered") await tx.query(moveAttempt, [deliveryId]);
    if ((await audit.append(tx, scope.workspace, entry)) === "behind") {
      // Whoever removes the delivery at this moment does not see what was moved.
      if (found.status === "delivered") await tx.query(takeAttemptBack, [deliveryId]);
      return { status: "audit_behind" };
    }
    const isUnderWay = (found.leaseEndsAtMs ?? 0) > tx.nowMs;
    if (isUnderWay) await tx.query(markResent, [deliveryId, tx.nowMs]);
    else await tx.query(makeDue, [deliveryId, tx.nowMs, manual]);
    tx.announce({ type: "deliverable" });
    return { status: "resent", delivery: await read(tx, scope, webhookId, deliveryId) };
  }

  return {
    ...postgresOutbox(context),

    ...postgresSettle(context),

    ...deliveryAttempts(context),

    ...resendUndelivered(context),

    async post({ scope, webhookId, event, audit: entry }) {
      assertStorable([scope, webhookId, event, entry]);
      const { workspace, environment } = scope;
      const { eventId, event: name, createdAtMs, data } = event;
      const deliveryId = deliveryIdOf(eventId, webhookId);
      return database.transaction(async (tx) => {
        if ((await audit.append(tx, workspace, entry)) === "behind") return { status: "audit_behind" };
        const dueAtMs = tx.nowMs;
        const values = [deliveryId, workspace, environment, webhookId, eventId, name, createdAtMs, data, dueAtMs];
        const inserted = await tx.query(insert, values);
        if (inserted.length === 0) throw new ProcedoError("internal", `Event "${eventId}" exists already.`);
        tx.announce({ type: "deliverable" });
        return { status: "posted", delivery: await read(tx, scope, webhookId, deliveryId) };
      });
    },

    async resend(request) {
      assertStorable(request.audit);
      // The second time it is known whether it is claimed.
      for (let mayBePending = false; ; mayBePending = true) {
        const result = await database.transaction((tx) => resendOne(tx, request, mayBePending));
        if (result !== undefined) return result;
      }
    },

    async endPending({ scope, error, limit, audit: entry }) {
      assertStorable([error, entry]);
      return database.transaction(async (tx) => {
        const { workspace, environment } = scope;
        await holdClaims(tx, schema, workspace);
        await tx.query(lockClaims, [workspace, environment]);
        const rows = await tx.query<{ delivery_id: string }>(lockPending, [workspace, environment, limit]);
        if ((await audit.append(tx, workspace, entry)) === "behind") return { status: "audit_behind" };
        await tx.query(endPending, [rows.map((row) => row.delivery_id), error, workspace, environment]);
        return { status: "ended", deliveries: rows.length };
      });
    },

    list: (request) => {
      const { scope, webhookId } = request;
      return pageOf({
        ...request,
        query: ["deliveries", scope.workspace, scope.environment, webhookId],
        shape: ["number", "number"],
        rowsAfter: (position, count) => {
          const [beforeMs, before] = position ?? [Number.MAX_SAFE_INTEGER, 0];
          const values = [scope.workspace, scope.environment, webhookId, beforeMs, before, count];
          return database.query<StoredDelivery>(selectPage, values);
        },
        positionOf: (row) => [row.createdAtMs, row.number],
        itemOf: rowOf,
      });
    },
  };
}

function rowOf(stored: StoredDelivery): DeliveryRow {
  const { number: _number, leaseEndsAtMs: _leaseEndsAtMs, resentAtMs: _resentAtMs, ...row } = stored;
  return {
    ...row,
    runId: row.runId ?? undefined,
    url: row.url ?? undefined,
    responseCode: row.responseCode ?? undefined,
    error: row.error ?? undefined,
    deliveredAtMs: row.deliveredAtMs ?? undefined,
    dueAtMs: row.dueAtMs ?? undefined,
  };
}
