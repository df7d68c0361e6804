/*
 * sqlite-gates.ts               the part of a trigger's record that the queue needs, and its schedule
 * sqlite-events.ts              taken and emitted events, each once
 * sqlite-firings.ts             rows of firings, and their places in the queue
 * sqlite-firing-queue.ts        claims the firings that their gates let pass
 * sqlite-firing-reads.ts        lists of firings, and the states of triggers
 * sqlite-trigger-retention.ts   removes what is old
 */
import type { AddedFiring, FiringSettlement, TriggerStore } from "@procedo/storage";
import { assertStorable, firingIdOf } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { auditChain } from "./sqlite-audit.ts";
import type { SqliteEvents } from "./sqlite-events.ts";
import { sqliteFiringQueue } from "./sqlite-firing-queue.ts";
import { sqliteFiringReads } from "./sqlite-firing-reads.ts";
import type { SqliteFirings } from "./sqlite-firings.ts";
import type { SqliteGates } from "./sqlite-gates.ts";
import { sqliteTriggerRetention } from "./sqlite-trigger-retention.ts";
import { prepare } from "./statement.ts";

/** The parts of the store that commits of runs and writes of records share. */
export interface TriggerParts {
  readonly gates: SqliteGates;
  readonly events: SqliteEvents;
  readonly firings: SqliteFirings;
}

interface Original {
  readonly event: number | null;
  readonly occurredAtMs: number | null;
  readonly scheduledAtMs: number | null;
}

export function sqliteTriggers(context: SqliteContext, { gates, events, firings }: TriggerParts): TriggerStore {
  const { db, reader, writer, scopes } = context;
  const audit = auditChain(context);
  const claim = sqliteFiringQueue(context, firings);
  const removeExpired = sqliteTriggerRetention(context);
  const selectGate = prepare(db, "SELECT 1 FROM trigger_gates WHERE scope = ? AND trigger_id = ?");
  const selectOriginal = prepare<Original>(
    db,
    `SELECT event, occurred_at_ms AS "occurredAtMs", scheduled_at_ms AS "scheduledAtMs" FROM firings
      WHERE scope = ? AND firing_id = ? AND trigger_id = ?`,
  );

  type Added = Awaited<ReturnType<TriggerStore["add"]>>[number];

  function addOne(scope: number | undefined, triggerId: string, firing: AddedFiring): Added {
    const { dedupeKey, requestedBy, refireOf, event } = firing;
    const firingId = firingIdOf(triggerId, dedupeKey);
    if (scope === undefined) return { status: "not_found", firingId };
    if (firings.find(scope, triggerId, firingId) !== undefined) return { status: "known", firingId };
    const original = refireOf === undefined ? undefined : selectOriginal.get(scope, refireOf, triggerId);
    const isUnknown = refireOf !== undefined && original === undefined;
    if (isUnknown || selectGate.get(scope, triggerId) === undefined) return { status: "not_found", firingId };
    const scheduledAtMs = firing.scheduledAtMs ?? original?.scheduledAtMs;
    const own = event === undefined ? undefined : events.add(scope, event);
    const of = { event: own ?? original?.event, occurredAtMs: original?.occurredAtMs, scheduledAtMs };
    firings.add({ scope, triggerId, firingId, requestedBy, refireOf, ...of });
    return { status: "added", firingId };
  }

  function settleOne({ scope, firingId, epoch, next }: FiringSettlement): "settled" | "fenced" {
    const number = scopes.find(scope);
    const firing = number === undefined ? undefined : firings.findClaimed(number, firingId, epoch);
    if (firing === undefined) return "fenced";
    if (next.status === "pending") firings.release(firing, next.afterMs);
    else firings.end(firing, next.status, next.reason, next.status === "failed" ? next.error : undefined);
    return "settled";
  }

  return {
    async take(batch) {
      assertStorable(batch);
      return writer.write((turn) => events.take(turn, batch), batch.scope.environment);
    },

    due: (request) => reader.snapshot(() => gates.due(request)),

    advance: (items) => writer.write((turn) => items.map((item) => gates.advance(turn, item))),

    async add({ scope, triggerId, firings: added }) {
      assertStorable([scope, triggerId, added]);
      return writer.write((turn) => {
        const number = scopes.find(scope);
        const results = added.map((firing) => addOne(number, triggerId, firing));
        if (results.some(({ status }) => status === "added")) turn.announce({ type: "fireable" });
        return results;
      });
    },

    claim: (request) => writer.write(() => claim(request)),

    async settle(items) {
      assertStorable(items);
      return writer.write(() => items.map(settleOne));
    },

    async endPending({ scope, reason, limit, audit: entry }) {
      assertStorable([reason, entry]);
      return writer.write(() => {
        if (!audit.follows(scope.workspace, entry)) return { status: "audit_behind" };
        const number = scopes.find(scope);
        const ended = number === undefined ? 0 : firings.endSome(number, limit, reason);
        audit.append(scope.workspace, entry);
        return { status: "ended", firings: ended };
      });
    },

    ...sqliteFiringReads(context),

    removeExpired: (request) => writer.write(() => removeExpired(request)),
  };
}
