import type {
  DeliveryAttempt,
  DeliveryRow,
  DeliverySettlement,
  DeliveryStore,
  NewDeliveryAttempt,
  Scope,
  SettleResult,
} from "@procedo/storage";
import { assertStorable, deliveryIdOf, resendCursorQuery } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { pageOf } from "./sql-page.ts";
import { auditChain } from "./sqlite-audit.ts";
import { sqliteOutbox } from "./sqlite-outbox.ts";
import { prepare, prepareTuple } from "./statement.ts";

type Nullable<Row> = {
  readonly [name in keyof Row]: undefined extends Row[name] ? NonNullable<Row[name]> | null : Row[name];
};

interface StoredDelivery extends Nullable<DeliveryRow> {
  readonly number: number;
  readonly claimed: 0 | 1;
  readonly resentAtMs: number | null;
}

type ResendCandidate = Pick<StoredDelivery, "number" | "createdAtMs" | "status" | "resentAtMs">;

const fenced: SettleResult = { status: "fenced" };

export function sqliteDeliveries(context: SqliteContext): DeliveryStore {
  const { db, now, reader, writer, scopes } = context;
  const outbox = sqliteOutbox(context);
  const audit = auditChain(context);

  const select = `SELECT delivery AS number, delivery_id AS "deliveryId", webhook_id AS "webhookId",
            event_id AS "eventId", run_id AS "runId", event, deliveries.created_at_ms AS "createdAtMs", data,
            deliveries.status, attempt_count AS "attemptCount", url, response_code AS "responseCode",
            deliveries.error, delivered_at_ms AS "deliveredAtMs", due_at_ms AS "dueAtMs",
            sender_id IS NOT NULL AS claimed, resent_at_ms AS "resentAtMs"
       FROM deliveries JOIN payloads USING (payload) LEFT JOIN runs USING (run)`;
  const selectOne = prepare<StoredDelivery>(
    db,
    `${select} WHERE delivery_id = ? AND deliveries.scope = ? AND webhook_id = ?`,
  );
  const selectPage = prepare<StoredDelivery>(
    db,
    `${select} WHERE deliveries.scope = ? AND webhook_id = ? AND (deliveries.created_at_ms, delivery) < (?, ?)
      ORDER BY deliveries.created_at_ms DESC, delivery DESC LIMIT +?`,
  );
  const selectAttempts = prepare<Nullable<Omit<DeliveryAttempt, "manual">> & { readonly manual: 0 | 1 }>(
    db,
    `SELECT url, at_ms AS "atMs", took_ms AS "tookMs", response_code AS "responseCode", failure, error, manual
       FROM delivery_attempts WHERE delivery = ? ORDER BY epoch`,
  );

  const insertPayload = prepare(db, "INSERT INTO payloads (data) VALUES (?)");
  const insert = prepare(
    db,
    `INSERT INTO deliveries (delivery_id, scope, webhook_id, event_id, event, created_at_ms, payload, due_at_ms, status,
                             attempt_count, manual)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'pending', 0, 1)`,
  );
  // A waiting one keeps its own schedule unless it is asked for as manual; one that has ended gets this one attempt.
  const makeDue = prepare(
    db,
    `UPDATE deliveries SET manual = CASE status WHEN 'pending' THEN max(manual, ?2) ELSE 1 END, status = 'pending',
                           places_used = CASE status WHEN 'pending' THEN places_used ELSE 0 END,
                           due_at_ms = min(coalesce(due_at_ms, ?1), ?1)
      WHERE delivery = ?3`,
  );
  const selectResendPage = prepare<ResendCandidate>(
    db,
    `SELECT delivery AS number, created_at_ms AS "createdAtMs", status, resent_at_ms AS "resentAtMs" FROM deliveries
      WHERE scope = ? AND webhook_id = ? AND (created_at_ms, delivery) > (?, ?)
      ORDER BY created_at_ms, delivery LIMIT +?`,
  );
  const beginAnew = prepare(
    db,
    `UPDATE deliveries SET status = 'pending', places_used = 0, manual = 0, due_at_ms = ?1, resent_at_ms = ?1
      WHERE delivery = ?2`,
  );
  const markResent = prepare(db, "UPDATE deliveries SET resent_at_ms = ? WHERE delivery = ?");
  const end = prepareTuple<[delivery: number, webhookId: string]>(
    db,
    `UPDATE deliveries SET sender_id = NULL, status = ?1, due_at_ms = ?2, error = ?3,
                           attempt_count = attempt_count - (?4 IS NULL), url = coalesce(?4, url),
                           response_code = CASE WHEN ?4 IS NULL THEN response_code ELSE ?5 END,
                           delivered_at_ms = CASE ?1 WHEN 'delivered' THEN ?6 ELSE delivered_at_ms END,
                           manual = CASE ?1 WHEN 'pending' THEN manual ELSE 0 END,
                           places_used = places_used - (?4 IS NULL OR ?7)
      WHERE delivery_id = ?8 AND scope = ?9 AND epoch = ?10 AND sender_id IS NOT NULL
      RETURNING delivery, webhook_id`,
  );
  const endPending = prepare(
    db,
    `UPDATE deliveries SET status = 'failed', due_at_ms = NULL, sender_id = NULL, manual = 0, error = ?1
      WHERE delivery IN (SELECT delivery FROM deliveries INDEXED BY deliveries_waiting
                          WHERE status = 'pending' AND sender_id IS NULL AND scope = ?2
                         UNION ALL SELECT delivery FROM deliveries INDEXED BY deliveries_claimed
                          WHERE sender_id IS NOT NULL AND scope = ?2 LIMIT +?3)`,
  );
  const selectNumber = prepareTuple<[delivery: number]>(
    db,
    "SELECT delivery FROM deliveries WHERE delivery_id = ? AND scope = ?",
  );
  const insertAttempt = prepare(
    db,
    `INSERT INTO delivery_attempts (delivery, epoch, at_ms, took_ms, url, response_code, failure, error, manual)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const webhook = "kind = 'webhook' AND workspace = ?1 AND environment = ?2 AND id = ?3";
  const dropFailing = prepare(
    db,
    `DELETE FROM failing_webhooks WHERE record = (SELECT record FROM records WHERE ${webhook})`,
  );
  // Of a webhook that was removed meanwhile nothing is kept.
  const markFailing = prepareTuple<[sinceMs: number]>(
    db,
    `INSERT INTO failing_webhooks (record, since_ms) SELECT record, ?4 FROM records WHERE ${webhook}
     ON CONFLICT (record) DO UPDATE SET since_ms = since_ms RETURNING since_ms`,
  );

  // Nearly always there is none, and then no attempt has to say that its webhook is not one of them.
  const selectAnyFailing = prepareTuple<[1]>(db, "SELECT 1 FROM failing_webhooks LIMIT 1");

  function find(scope: Scope, webhookId: string, deliveryId: string): StoredDelivery | undefined {
    const number = scopes.find(scope);
    return number === undefined ? undefined : selectOne.get(deliveryId, number, webhookId);
  }

  function remember(delivery: number, epoch: number, attempt: NewDeliveryAttempt, error: string | undefined): void {
    const { atMs, tookMs, url, responseCode, failure, manual } = attempt;
    const what = [atMs, tookMs, url, responseCode ?? null, failure ?? null, error ?? null, manual ? 1 : 0];
    insertAttempt.run(delivery, epoch, ...what);
  }

  function settleOne({
    scope,
    deliveryId,
    epoch,
    attempt,
    error,
    cutOff = false,
    then,
  }: DeliverySettlement): SettleResult {
    const number = scopes.find(scope);
    if (number === undefined) return fenced;
    const dueAtMs = then.status === "pending" ? then.dueAtMs : null;
    const told = [attempt?.url ?? null, attempt?.responseCode ?? null, attempt?.atMs ?? null, cutOff ? 1 : 0];
    const ended = end.get(then.status, dueAtMs, error ?? null, ...told, deliveryId, number, epoch);
    const delivery = ended?.[0] ?? selectNumber.get(deliveryId, number)?.[0];
    if (delivery !== undefined && attempt !== undefined) remember(delivery, epoch, attempt, error);
    if (ended === undefined) return fenced;
    const counts = attempt !== undefined && !cutOff;
    return { status: "settled", failingSinceMs: counts ? judge(scope, ended[1], attempt, error) : undefined };
  }

  /** Since when the webhook fails, now that an attempt has ended like this. */
  function judge(
    { workspace, environment }: Scope,
    webhookId: string,
    { atMs, manual }: NewDeliveryAttempt,
    error: string | undefined,
  ): number | undefined {
    if (error !== undefined) return manual ? undefined : markFailing.get(workspace, environment, webhookId, atMs)?.[0];
    if (selectAnyFailing.get() !== undefined) dropFailing.run(workspace, environment, webhookId);
    return undefined;
  }

  return {
    claim: (request) => writer.write(() => outbox.claim(request)),

    async settle(items) {
      for (const { attempt, error } of items) assertStorable([error, attempt?.url, attempt?.failure]);
      return writer.write(() => items.map(settleOne));
    },

    async post({ scope, webhookId, event, audit: entry }) {
      assertStorable([scope, webhookId, event, entry]);
      return writer.write((turn) => {
        if (!audit.follows(scope.workspace, entry)) return { status: "audit_behind" };
        const deliveryId = deliveryIdOf(event.eventId, webhookId);
        const { eventId, event: name, createdAtMs, data } = event;
        const payload = insertPayload.run(data).lastInsertRowid;
        insert.run(deliveryId, scopes.intern(scope), webhookId, eventId, name, createdAtMs, payload, now());
        audit.append(scope.workspace, entry);
        turn.announce({ type: "deliverable" });
        return { status: "posted", delivery: rowOf(stored(find(scope, webhookId, deliveryId))) };
      });
    },

    async resend({ scope, webhookId, deliveryId, repeatMs, manual = false, audit: entry }) {
      assertStorable(entry);
      return writer.write((turn) => {
        const found = find(scope, webhookId, deliveryId);
        if (found === undefined) return { status: "not_found" };
        const atMs = now();
        if (found.resentAtMs !== null && atMs - found.resentAtMs < repeatMs) {
          return { status: "repeated", delivery: rowOf(found) };
        }
        if (!audit.follows(scope.workspace, entry)) return { status: "audit_behind" };
        markResent.run(atMs, found.number);
        if (found.claimed === 0 || (found.dueAtMs ?? 0) <= atMs) makeDue.run(atMs, manual ? 1 : 0, found.number);
        audit.append(scope.workspace, entry);
        turn.announce({ type: "deliverable" });
        return { status: "resent", delivery: rowOf(stored(find(scope, webhookId, deliveryId))) };
      });
    },

    async resendUndelivered(request) {
      const { scope, webhookId, statuses, sinceMs, repeatMs, audit: entry } = request;
      assertStorable(entry);
      return writer.write((turn) => {
        const number = scopes.find(scope);
        const atMs = now();
        const { items, nextCursor } = pageOf({
          ...request,
          query: resendCursorQuery(request),
          shape: ["number", "number"],
          rowsAfter: (position, count) =>
            number === undefined ? [] : selectResendPage.all(number, webhookId, ...(position ?? [sinceMs, -1]), count),
          positionOf: (row) => [row.createdAtMs, row.number],
          itemOf: (row) => row,
        });
        const wanted: readonly string[] = statuses;
        const undelivered = items.filter(
          ({ status, resentAtMs }) => wanted.includes(status) && !(resentAtMs !== null && atMs - resentAtMs < repeatMs),
        );
        if (undelivered.length === 0) return { status: "resent", deliveries: 0, nextCursor };
        if (!audit.follows(scope.workspace, entry)) return { status: "audit_behind" };
        for (const { number: delivery } of undelivered) beginAnew.run(atMs, delivery);
        audit.append(scope.workspace, entry);
        turn.announce({ type: "deliverable" });
        return { status: "resent", deliveries: undelivered.length, nextCursor };
      });
    },

    async endPending({ scope, error, limit, audit: entry }) {
      assertStorable([error, entry]);
      return writer.write(() => {
        if (!audit.follows(scope.workspace, entry)) return { status: "audit_behind" };
        const number = scopes.find(scope);
        const deliveries = number === undefined ? 0 : Number(endPending.run(error, number, limit).changes);
        audit.append(scope.workspace, entry);
        return { status: "ended", deliveries };
      });
    },

    list: (request) =>
      reader.read(() => {
        const { scope, webhookId } = request;
        const number = scopes.find(scope);
        return pageOf({
          ...request,
          query: ["deliveries", scope.workspace, scope.environment, webhookId],
          shape: ["number", "number"],
          rowsAfter: (position, count) =>
            number === undefined ? [] : selectPage.all(number, webhookId, ...(position ?? [Infinity, 0]), count),
          positionOf: (row) => [row.createdAtMs, row.number],
          itemOf: rowOf,
        });
      }),

    attempts: ({ scope, webhookId, deliveryId }) =>
      reader.snapshot(() => {
        const found = find(scope, webhookId, deliveryId);
        const rows = found === undefined ? [] : selectAttempts.all(found.number);
        return rows.map(({ manual, ...row }) => ({
          ...row,
          responseCode: row.responseCode ?? undefined,
          failure: row.failure ?? undefined,
          error: row.error ?? undefined,
          manual: manual === 1,
        }));
      }),
  };
}

function rowOf({ number: _number, claimed: _claimed, resentAtMs: _resentAtMs, ...row }: StoredDelivery): DeliveryRow {
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

function stored(delivery: StoredDelivery | undefined): StoredDelivery {
  if (delivery === undefined) throw new Error("A delivery that was just written is not there.");
  return delivery;
}
