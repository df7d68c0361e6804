import type pg from "pg";

/** What a node of the version before knows of an attempt that it settles. */
export interface AttemptBefore {
  readonly deliveryId: string;
  readonly epoch: number;
  readonly responseCode: number;
  /** Set: it failed, and the delivery is due again then. */
  readonly dueAtMs?: number;
}

const ofWebhook = "workspace = 'acme' AND environment = 'live'";

const items = (columns: string, types: readonly string[]): string => `
  WITH items AS MATERIALIZED (
    SELECT * FROM unnest(${types.map((type, index) => `$${index + 1}::${type}[]`).join(", ")}) WITH ORDINALITY
               AS item (${columns}, contends, number)
  ), held AS MATERIALIZED (
    SELECT items.* FROM items JOIN deliveries USING (delivery_id)
     WHERE deliveries.workspace = items.workspace AND deliveries.environment = items.environment
       AND deliveries.epoch = items.epoch AND contends AND sender_id IS NOT NULL
     ORDER BY delivery_id FOR UPDATE OF deliveries
  )`;
const accepted = "delivery_id, workspace, environment, epoch, url, at_ms, took_ms, response_code, manual";
const acceptedTypes = ["text", "text", "text", "integer", "text", "bigint", "bigint", "integer", "boolean"];
const inScope = "deliveries.workspace = items.workspace AND deliveries.environment = items.environment";

const settleAccepted = `${items(accepted, [...acceptedTypes, "boolean"])}, settled AS (
    UPDATE deliveries
       SET sender_id = NULL, status = 'delivered', due_at_ms = NULL, error = NULL, url = held.url,
           response_code = held.response_code, delivered_at_ms = at_ms, manual = false
      FROM held WHERE deliveries.delivery_id = held.delivery_id
    RETURNING number
  ), remembered AS (
    INSERT INTO delivery_attempts (delivery_id, epoch, at_ms, took_ms, url, response_code, manual)
    SELECT delivery_id, items.epoch, at_ms, took_ms, items.url, items.response_code, items.manual
      FROM items JOIN deliveries USING (delivery_id) WHERE ${inScope} ORDER BY number
    ON CONFLICT DO NOTHING
  )
  SELECT number FROM settled`;

const settled = `${accepted}, status, due_at_ms, error, cut_off, failure`;
const settledTypes = [...acceptedTypes, "text", "bigint", "text", "boolean", "text"];
const settleAny = `${items(settled, [...settledTypes, "boolean"])}, settled AS (
    UPDATE deliveries
       SET sender_id = NULL, status = held.status, due_at_ms = held.due_at_ms, error = held.error,
           attempt_count = attempt_count - (held.url IS NULL)::integer,
           places_used = places_used - (held.url IS NULL OR cut_off)::integer,
           url = coalesce(held.url, deliveries.url),
           response_code = CASE WHEN held.url IS NULL THEN deliveries.response_code ELSE held.response_code END,
           delivered_at_ms = CASE held.status WHEN 'delivered' THEN at_ms ELSE delivered_at_ms END,
           manual = deliveries.manual AND held.status = 'pending'
      FROM held WHERE deliveries.delivery_id = held.delivery_id
    RETURNING number
  ), remembered AS (
    INSERT INTO delivery_attempts (delivery_id, epoch, at_ms, took_ms, url, response_code, failure, error, manual)
    SELECT delivery_id, items.epoch, at_ms, took_ms, items.url, items.response_code, failure, items.error, items.manual
      FROM items JOIN deliveries USING (delivery_id) WHERE ${inScope} AND items.url IS NOT NULL ORDER BY number
    ON CONFLICT DO NOTHING
  )
  SELECT number FROM settled`;

const lockOne = `
  SELECT due_at_ms, sender_id IS NOT NULL AS claimed, attempt_count FROM deliveries JOIN payloads USING (payload)
   WHERE delivery_id = $1 AND ${ofWebhook} AND webhook_id = 'hook-1' FOR UPDATE OF deliveries`;
const markResent = "UPDATE deliveries SET resent_at_ms = $2 WHERE delivery_id = $1";
const makeDue = `
  UPDATE deliveries
     SET resent_at_ms = $2, manual = manual OR $3 OR status <> 'pending', status = 'pending',
         places_used = CASE status WHEN 'pending' THEN places_used ELSE 0 END, due_at_ms = least(due_at_ms, $2)
   WHERE delivery_id = $1`;

const lockPending = `
  WITH found AS MATERIALIZED (
    (SELECT delivery_id FROM deliveries WHERE ${ofWebhook} AND status = 'pending' AND sender_id IS NULL LIMIT $1)
    UNION ALL
    (SELECT delivery_id FROM deliveries WHERE ${ofWebhook} AND sender_id IS NOT NULL LIMIT $1)
    LIMIT $1
  )
  SELECT delivery_id FROM deliveries
   WHERE delivery_id = ANY (ARRAY(SELECT delivery_id FROM found)) AND status = 'pending' ORDER BY delivery_id FOR UPDATE`;
const endPending = `
  UPDATE deliveries SET status = 'failed', due_at_ms = NULL, sender_id = NULL, manual = false, error = $2
   WHERE delivery_id = ANY ($1::text[])`;

/**
 * What a node of the version before migration 5 does to deliveries, in a session whose search path is the schema: its
 * statements, for one scope and without what they read besides.
 */
export function deliveriesBefore(session: pg.Client, { nowMs, url }: { readonly nowMs: number; readonly url: string }) {
  return {
    /** How many were settled; the others are fenced. */
    async settle(attempts: readonly AttemptBefore[]): Promise<number> {
      const isAccepted = attempts.every(({ dueAtMs }) => dueAtMs === undefined);
      const rows = attempts.map(({ deliveryId, epoch, responseCode, dueAtMs }) => [
        ...[deliveryId, "acme", "live", epoch, url, nowMs, 5, responseCode, false],
        ...(isAccepted ? [] : [dueAtMs === undefined ? "delivered" : "pending", dueAtMs ?? null]),
        ...(isAccepted ? [] : [dueAtMs === undefined ? null : "Refused.", false, null]),
        true,
      ]);
      const columns = rows[0]?.map((_value, column) => rows.map((row) => row[column])) ?? [];
      return (await session.query(isAccepted ? settleAccepted : settleAny, columns)).rows.length;
    },

    async resend(deliveryId: string, manual = false): Promise<void> {
      await session.query("BEGIN");
      const { rows } = await session.query<{ claimed: boolean; due_at_ms: string | null }>(lockOne, [deliveryId]);
      const [found] = rows;
      const underWay = found?.claimed === true && Number(found.due_at_ms) > nowMs;
      if (underWay) await session.query(markResent, [deliveryId, nowMs]);
      else await session.query(makeDue, [deliveryId, nowMs, manual]);
      await session.query("COMMIT");
    },

    /** Which were ended. */
    async endPending(error: string): Promise<readonly string[]> {
      await session.query("BEGIN");
      const { rows } = await session.query<{ delivery_id: string }>(lockPending, [100]);
      const ended = rows.map(({ delivery_id }) => delivery_id);
      await session.query(endPending, [ended, error]);
      await session.query("COMMIT");
      return ended;
    },
  };
}
