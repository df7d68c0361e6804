import type {
  DeliveryAttempt,
  DeliveryQuery,
  DeliveryRow,
  DeliverySettlement,
  DeliveryStore,
  FailingMark,
  NewDeliveryAttempt,
  Scope,
  SettleResult,
} from "@procedo/storage";
import { assertStorable, deliveryCursorQuery, deliveryIdOf, resendCursorQuery } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { filteredRows, type FilteredList } from "./filtered-rows.ts";
import { pageOf } from "./sql-page.ts";
import { auditChain } from "./sqlite-audit.ts";
import { sqliteDeliveryQueue } from "./sqlite-delivery-queue.ts";
import { prepare, prepareNamed, prepareTuple } from "./statement.ts";

type Nullable<Row> = {
  readonly [name in keyof Row]: undefined extends Row[name] ? NonNullable<Row[name]> | null : Row[name];
};

interface StoredDelivery extends Nullable<DeliveryRow> {
  readonly number: number;
  /** The number of claims since the last settlement. */
  readonly claims: number;
  readonly resentAtMs: number | null;
}

type ResendCandidate = Pick<StoredDelivery, "number" | "createdAtMs" | "status" | "resentAtMs">;

const fenced: SettleResult = { status: "fenced" };

export function sqliteDeliveries(context: SqliteContext): DeliveryStore {
  const { db, now, reader, writer, scopes } = context;
  const queue = sqliteDeliveryQueue(context);
  const audit = auditChain(context);

  const select = `SELECT deliveries.delivery AS number, delivery_id AS "deliveryId", deliveries.webhook_id AS "webhookId",
            event_id AS "eventId", run_id AS "runId", event, deliveries.created_at_ms AS "createdAtMs", data,
            deliveries.status, attempt_count + coalesce(claims, 0) AS "attemptCount", url,
            response_code AS "responseCode", deliveries.error, delivered_at_ms AS "deliveredAtMs",
            due_at_ms AS "dueAtMs", coalesce(claims, 0) AS claims, resent_at_ms AS "resentAtMs"
       FROM deliveries JOIN payloads USING (payload) LEFT JOIN delivery_queue USING (delivery)
            LEFT JOIN runs ON runs.run = deliveries.run`;
  const selectOne = prepare<StoredDelivery>(
    db,
    `${select} WHERE delivery_id = ? AND deliveries.scope = ? AND deliveries.webhook_id = ?`,
  );
  const selectListed = prepare<StoredDelivery>(db, `${select} WHERE deliveries.delivery = ?`);
  const selectPage = filteredRows<ListedDelivery>(db);
  const selectAttempts = prepare<Nullable<Omit<DeliveryAttempt, "manual">> & { readonly manual: 0 | 1 }>(
    db,
    `SELECT url, at_ms AS "atMs", took_ms AS "tookMs", response_code AS "responseCode", failure, error, manual
       FROM delivery_attempts WHERE delivery = ? ORDER BY epoch`,
  );

  const insertPayload = prepare(db, "INSERT INTO payloads (data) VALUES (?)");
  const insert = prepare(
    db,
    `INSERT INTO deliveries (delivery_id, scope, webhook_id, event_id, event, created_at_ms, payload, status,
                             attempt_count, manual)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'pending', 0, 1)`,
  );
  const setManual = prepare(db, "UPDATE deliveries SET manual = 1 WHERE delivery = ?");
  const restart = prepare(
    db,
    "UPDATE deliveries SET status = 'pending', places_used = 0, manual = ?, resent_at_ms = ? WHERE delivery = ?",
  );
  const selectResendPage = prepare<ResendCandidate>(
    db,
    `SELECT delivery AS number, created_at_ms AS "createdAtMs", status, resent_at_ms AS "resentAtMs" FROM deliveries
      WHERE scope = ? AND webhook_id = ? AND (created_at_ms, delivery) > (?, ?)
      ORDER BY created_at_ms, delivery LIMIT +?`,
  );
  const markResent = prepare(db, "UPDATE deliveries SET resent_at_ms = ? WHERE delivery = ?");
  const selectHeld = prepareTuple<[delivery: number, webhookId: string, claims: number]>(
    db,
    `SELECT delivery, deliveries.webhook_id, claims FROM deliveries JOIN delivery_queue USING (delivery)
      WHERE delivery_id = ? AND deliveries.scope = ? AND claims > 0 AND epoch + claims = ?`,
  );
  // A settlement adds the claims since the previous one to the epoch, to the attempts and to the places used. The last
  // claim is no attempt if no request was made (no URL), and a cut-off attempt uses no place.
  const record = prepareNamed<{
    readonly delivery: number;
    readonly status: string;
    readonly error: string | null;
    readonly url: string | null;
    readonly responseCode: number | null;
    readonly atMs: number | null;
    readonly claims: number;
    readonly cutOff: 0 | 1;
  }>(
    db,
    `UPDATE deliveries SET status = :status, error = :error, url = coalesce(:url, url),
                           response_code = CASE WHEN :url IS NULL THEN response_code ELSE :responseCode END,
                           delivered_at_ms = CASE :status WHEN 'delivered' THEN :atMs ELSE delivered_at_ms END,
                           manual = CASE :status WHEN 'pending' THEN manual ELSE 0 END,
                           epoch = epoch + :claims, attempt_count = attempt_count + :claims - (:url IS NULL),
                           places_used = places_used + :claims - (:url IS NULL OR :cutOff)
      WHERE delivery = :delivery`,
  );
  const selectPending = prepareTuple<[delivery: number, claims: number]>(
    db,
    "SELECT delivery, claims FROM delivery_queue WHERE scope = ? LIMIT +?",
  );
  const endPending = prepare(
    db,
    `UPDATE deliveries SET status = 'failed', manual = 0, error = ?1, epoch = epoch + ?2,
                           attempt_count = attempt_count + ?2
      WHERE delivery = ?3`,
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
  // Nothing is stored for a webhook that was removed in the meantime.
  const markFailing = prepareTuple<[sinceMs: number]>(
    db,
    `INSERT INTO failing_webhooks (record, since_ms) SELECT record, ?4 FROM records WHERE ${webhook}
     ON CONFLICT (record) DO UPDATE SET since_ms = since_ms RETURNING since_ms`,
  );

  const selectFailing = prepare<FailingMark>(
    db,
    `SELECT records.id AS "webhookId", since_ms AS "sinceMs"
       FROM json_each(?3) AS wanted
       JOIN records ON kind = 'webhook' AND workspace = ?1 AND environment = ?2 AND records.id = wanted.value
       JOIN failing_webhooks USING (record)`,
  );
  // Usually no webhook is failing; then an accepted attempt needs no further lookup.
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
    next,
  }: DeliverySettlement): SettleResult {
    const number = scopes.find(scope);
    if (number === undefined) return fenced;
    const held = selectHeld.get(deliveryId, number, epoch);
    const known = held?.[0] ?? selectNumber.get(deliveryId, number)?.[0];
    if (known !== undefined && attempt !== undefined) remember(known, epoch, attempt, error);
    if (held === undefined) return fenced;
    const [delivery, webhookId, claims] = held;
    if (next.status === "pending") queue.release(delivery, next.dueAtMs);
    else queue.remove(delivery);
    record({
      delivery,
      status: next.status,
      error: error ?? null,
      url: attempt?.url ?? null,
      responseCode: attempt?.responseCode ?? null,
      atMs: attempt?.atMs ?? null,
      claims,
      cutOff: cutOff ? 1 : 0,
    });
    const counts = attempt !== undefined && !cutOff;
    return { status: "settled", failingSinceMs: counts ? judge(scope, webhookId, attempt, error) : undefined };
  }

  /** The time since which the webhook has been failing, after this attempt. */
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
    claim: (request) => writer.write(() => queue.claim(request)),

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
        const number = scopes.intern(scope);
        const delivery = insert.run(deliveryId, number, webhookId, eventId, name, createdAtMs, payload).lastInsertRowid;
        queue.add({ delivery, scope: number, webhookId, dueAtMs: now() });
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
        const { number: delivery, status, claims, dueAtMs } = found;
        if (status !== "pending") {
          restart.run(1, atMs, delivery);
          queue.add({ delivery, scope: scopes.intern(scope), webhookId, dueAtMs: atMs });
        } else if (claims === 0 || (dueAtMs ?? 0) <= atMs) {
          queue.makeDue(delivery, atMs);
          if (manual) setManual.run(delivery);
        }
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
        for (const { number: delivery } of undelivered) {
          restart.run(0, atMs, delivery);
          queue.add({ delivery, scope: scopes.intern(scope), webhookId, dueAtMs: atMs });
        }
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
        const pending = number === undefined ? [] : selectPending.all(number, limit);
        for (const [delivery, claims] of pending) {
          queue.remove(delivery);
          endPending.run(error, claims, delivery);
        }
        audit.append(scope.workspace, entry);
        return { status: "ended", deliveries: pending.length };
      });
    },

    get: ({ scope, webhookId, deliveryId }) =>
      reader.read(() => {
        const found = find(scope, webhookId, deliveryId);
        return found && rowOf(found);
      }),

    list: (request) =>
      reader.snapshot(() => {
        const { scope, webhookId, status = null, event = null, runId = null } = request;
        const { fromMs = -Infinity, toMs = Infinity } = request;
        const number = scopes.find(scope);
        return pageOf({
          ...request,
          query: deliveryCursorQuery(request),
          shape: ["number", "number"],
          rowsAfter: (position, count) => {
            if (number === undefined) return [];
            const values = [number, webhookId, fromMs, ...(position ?? [toMs, 0]), status, event, runId];
            return selectPage(listedDeliveries(request), values, count);
          },
          positionOf: (row) => [row.created_at_ms, row.delivery],
          itemOf: ({ delivery }) => rowOf(stored(selectListed.get(delivery))),
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

    failing: ({ scope: { workspace, environment }, webhookIds }) =>
      reader.read(() =>
        selectFailing.all(workspace, environment, JSON.stringify(webhookIds)).map((row) => ({ ...row })),
      ),
  };
}

/** The place of a delivery in a list. Its payload is read once it is certain that the page contains it. */
interface ListedDelivery {
  readonly delivery: number;
  readonly created_at_ms: number;
}

function listedDeliveries({ status, event, runId }: DeliveryQuery): FilteredList {
  return {
    ordered: (
      limit,
    ) => `SELECT delivery, created_at_ms, status, event, run FROM deliveries INDEXED BY deliveries_by_time
      WHERE scope = ?1 AND webhook_id = ?2 AND created_at_ms >= ?3 AND (created_at_ms, delivery) < (?4, ?5)
      ORDER BY created_at_ms DESC, delivery DESC LIMIT ${limit}`,
    filters: [
      ...(status === undefined ? [] : ["status = ?6"]),
      ...(event === undefined ? [] : ["event = ?7"]),
      ...(runId === undefined ? [] : ["run = (SELECT run FROM runs WHERE run_id = ?8)"]),
    ],
  };
}

function rowOf({ number: _number, claims: _claims, resentAtMs: _resentAtMs, ...row }: StoredDelivery): DeliveryRow {
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
  if (delivery === undefined) throw new Error("The delivery that was just written was not found.");
  return delivery;
}
