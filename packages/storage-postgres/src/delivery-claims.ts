/*
 * SQL of deliveries that are claimed, for statements of several files. A row of `delivery_claims` has the numbers of some of
 * one webhook that were claimed together and are not settled. Whoever changes one locks it first, in the order of the
 * claims' numbers, and then its deliveries in the order of their ids.
 */

/** Of each delivery: when the lease under which it is claimed ends, over or not; null when it is not claimed. To be joined. */
export function claimOfDelivery(schema: string): string {
  return `LEFT JOIN LATERAL (
            SELECT lease_ends_at_ms FROM ${schema}.delivery_claims AS claim
             WHERE deliveries.status = 'pending' AND claim.workspace = deliveries.workspace
               AND claim.environment = deliveries.environment AND claim.webhook_id = deliveries.webhook_id
               AND deliveries.delivery = ANY (claim.deliveries) LIMIT 1
          ) AS claim ON true`;
}

/** Whether a number is one of a list; said so that the list is hashed, where a join may not be. */
export function isOneOf(number: string, list: string): string {
  return `(${number} IN (${list})) IS TRUE`;
}

/**
 * Steps of a statement in which deliveries leave their claims; a claim that has nothing left goes, one that nothing leaves
 * is not written.
 *
 * @param members has what is in the locked claims: `workspace`, `claim` and `delivery`
 * @param leaving has the `delivery` of each that leaves
 */
export function leaveClaims(schema: string, members: string, leaving: string): string {
  const remaining = "delivery_claims.workspace = remaining.workspace AND delivery_claims.claim = remaining.claim";
  const leaves = isOneOf("delivery", `SELECT delivery FROM ${leaving}`);
  return `
      remaining AS MATERIALIZED (
        SELECT workspace, claim, array_agg(delivery) FILTER (WHERE NOT (${leaves})) AS deliveries, count(*) AS before
          FROM ${members} GROUP BY workspace, claim
      ), reduced AS (
        UPDATE ${schema}.delivery_claims SET deliveries = remaining.deliveries
          FROM remaining WHERE ${remaining} AND cardinality(remaining.deliveries) < before
      ), emptied AS (
        DELETE FROM ${schema}.delivery_claims USING remaining WHERE ${remaining} AND remaining.deliveries IS NULL
      )`;
}
