import type { ClaimedFiring, FiringClaim, Overlap, TriggerStore } from "@procedo/storage";
import { judgeGate } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import type { SqliteFirings } from "./sqlite-firings.ts";
import { prepare, prepareTuple } from "./statement.ts";

/** Claims firings that their gates let pass, within a write. */
export type ClaimFirings = (request: Parameters<TriggerStore["claim"]>[0]) => FiringClaim;

interface Candidate {
  readonly firing: number;
  /** Number of firings of the same trigger before it, including leased ones. */
  readonly rank: number;
}

interface ClaimedRow {
  readonly scope: number;
  readonly triggerId: string;
  readonly firingId: string;
  readonly epoch: number;
  readonly requestedBy: string | null;
  readonly scheduledAtMs: number | null;
  readonly occurredAtMs: number | null;
  readonly receivedAtMs: number;
  readonly refireOf: string | null;
  readonly eventId: string | null;
  readonly type: string;
  readonly digest: string;
  readonly chainDepth: number;
  readonly body: string | null;
  readonly headers: string | null;
}

type GateRow = [overlap: Overlap, maxOpenRuns: number | null, isHeld: 0 | 1];
type Firing = [firing: number];
type QueuedFiring = [firing: number, dueAtMs: number];

const inOrder = "firing_queue INDEXED BY firing_queue_in_order";
const ofTrigger = "scope = ? AND trigger_id = ?";

export function sqliteFiringQueue({ db, now, scopes }: SqliteContext, firings: SqliteFirings): ClaimFirings {
  // One step of a loose index scan: there are few triggers with many firings.
  const selectNextTrigger = prepareTuple<[triggerId: string | null]>(
    db,
    `SELECT min(trigger_id) FROM ${inOrder} WHERE scope = ? AND trigger_id > ?`,
  );
  const selectNextDue = prepareTuple<[dueAtMs: number | null]>(
    db,
    `SELECT min(due_at_ms) FROM firing_queue INDEXED BY firing_queue_due WHERE ${ofTrigger} AND due_at_ms > ?`,
  );
  const selectGate = prepareTuple<GateRow>(
    db,
    `SELECT overlap, max_open_runs, is_held FROM trigger_gates WHERE ${ofTrigger}`,
  );
  const countLeased = prepareTuple<[triggerId: string, count: number]>(
    db,
    `SELECT trigger_id, count(*) FROM firing_queue INDEXED BY firing_queue_claimed
      WHERE scope = ? AND is_claimed = 1 AND due_at_ms > ? GROUP BY trigger_id`,
  );
  const forgetEnded = prepare(
    db,
    `UPDATE firings SET may_be_open = 0
      WHERE ${ofTrigger} AND may_be_open = 1
        AND (SELECT ended_at_ms FROM runs WHERE runs.run = firings.run) IS NOT NULL`,
  );
  const countOpen = prepareTuple<[count: number]>(
    db,
    `SELECT count(*) FROM firings INDEXED BY firings_open WHERE ${ofTrigger} AND may_be_open = 1`,
  );
  const selectRequested = prepareTuple<Firing>(
    db,
    `SELECT firing FROM firing_queue INDEXED BY firing_queue_requested
      WHERE ${ofTrigger} AND is_requested = 1 AND due_at_ms <= ? ORDER BY firing LIMIT +?`,
  );
  const selectDue = prepareTuple<Firing>(
    db,
    `SELECT firing FROM ${inOrder} WHERE ${ofTrigger} AND is_requested = 0 AND due_at_ms <= ?
      ORDER BY firing LIMIT +?`,
  );
  const selectOldest = prepareTuple<QueuedFiring>(
    db,
    `SELECT firing, due_at_ms FROM ${inOrder} WHERE ${ofTrigger} AND is_requested = 0 ORDER BY firing LIMIT 1`,
  );
  const selectNewestFirst = prepareTuple<QueuedFiring>(
    db,
    `SELECT firing, due_at_ms FROM ${inOrder} WHERE ${ofTrigger} AND is_requested = 0 ORDER BY firing DESC`,
  );
  // ?3: leases that end later are kept.
  const holdBack = prepare(
    db,
    `UPDATE firing_queue INDEXED BY firing_queue_not_waiting SET is_waiting = 1, is_claimed = 0
      WHERE ${ofTrigger} AND is_waiting = 0 AND is_requested = 0 AND NOT (is_claimed = 1 AND due_at_ms > ?)
        AND firing NOT IN (SELECT value FROM json_each(?))`,
  );
  const lease = prepare(
    db,
    `UPDATE firing_queue SET due_at_ms = ?, epoch = epoch + 1, is_claimed = 1, is_waiting = 0 WHERE firing = ?`,
  );
  const selectClaimed = prepare<ClaimedRow>(
    db,
    `SELECT firings.scope, firings.trigger_id AS "triggerId", firing_id AS "firingId", epoch,
            requested_by AS "requestedBy", scheduled_at_ms AS "scheduledAtMs", occurred_at_ms AS "occurredAtMs",
            firings.received_at_ms AS "receivedAtMs", refire_of AS "refireOf", event_id AS "eventId", type, digest,
            chain_depth AS "chainDepth", body, headers
       FROM firings JOIN firing_queue USING (firing) LEFT JOIN events USING (event) LEFT JOIN event_contents USING (event)
      WHERE firing = ?`,
  );

  function* triggersOf(scope: number): Iterable<string> {
    let triggerId = selectNextTrigger.get(scope, "")?.[0] ?? null;
    while (triggerId !== null) {
      yield triggerId;
      triggerId = selectNextTrigger.get(scope, triggerId)?.[0] ?? null;
    }
  }

  function openOf(scope: number, triggerId: string): number {
    forgetEnded.run(scope, triggerId);
    return countOpen.get(scope, triggerId)?.[0] ?? 0;
  }

  function skip(queued: readonly QueuedFiring[], reason: "overlap" | "superseded"): Skipped | undefined {
    for (const [firing] of queued) firings.end(firing, "skipped", reason);
    return queued.length === 0 ? undefined : { reason, count: queued.length };
  }

  /** At most `limit` firings that pass the gate of a trigger, the oldest first. Ends or holds back the others. */
  function judge(scope: number, triggerId: string, leased: number, nowMs: number, limit: number): Judged {
    const [overlap, most, isHeld] = selectGate.get(scope, triggerId) ?? (["allow", null, 0] satisfies GateRow);
    const gate = { overlap, maxOpenRuns: most ?? undefined, isHeld: isHeld === 1 };
    const isUnbounded = overlap === "allow" && most === null;
    const open = isUnbounded ? 0 : openOf(scope, triggerId);
    const verdict = judgeGate(gate, { leased, open });
    const requested = selectRequested.all(scope, triggerId, nowMs, limit).map(([firing]) => firing);
    const ifDue = (queued: QueuedFiring | undefined): readonly number[] =>
      queued !== undefined && queued[1] <= nowMs ? [queued[0]] : [];
    const passing = (others: readonly number[], skipped?: Skipped): Judged => ({
      passing: [...requested, ...others].sort((a, b) => a - b),
      skipped,
    });
    switch (verdict.kind) {
      case "some": {
        if (verdict.most === Infinity) return passing(firingsOf(selectDue.all(scope, triggerId, nowMs, limit)));
        const due = firingsOf(selectDue.all(scope, triggerId, nowMs, verdict.most));
        holdBack.run(scope, triggerId, nowMs, JSON.stringify(due));
        return passing(due.slice(0, limit));
      }
      case "oldest":
        return passing(ifDue(selectOldest.get(scope, triggerId)));
      case "newest": {
        const [newest, ...older] = selectNewestFirst.all(scope, triggerId);
        const superseded = skip(older, "superseded");
        if (!verdict.passes) holdBack.run(scope, triggerId, nowMs, "[]");
        return passing(verdict.passes ? ifDue(newest) : [], superseded);
      }
      case "skip":
        return passing([], skip(selectNewestFirst.all(scope, triggerId), "overlap"));
      case "none":
        return passing([]);
    }
  }

  function claimed(firing: number, leaseEndsAtMs: number): readonly ClaimedFiring[] {
    lease.run(leaseEndsAtMs, firing);
    const row = selectClaimed.get(firing);
    return row === undefined ? [] : [claimedFiring(row)];
  }

  function claimedFiring({
    scope,
    eventId,
    type,
    digest,
    chainDepth,
    body,
    headers,
    ...row
  }: ClaimedRow): ClaimedFiring {
    const content = body === null ? undefined : { body, headers: headers ?? undefined };
    return {
      ...row,
      scope: scopes.get(scope),
      requestedBy: row.requestedBy ?? undefined,
      scheduledAtMs: row.scheduledAtMs ?? undefined,
      occurredAtMs: row.occurredAtMs ?? undefined,
      refireOf: row.refireOf ?? undefined,
      event: eventId === null ? undefined : { id: eventId, type, digest, content, chainDepth },
    };
  }

  return ({ workspace, limits, leaseMs }) => {
    const nowMs = now();
    const candidates: Candidate[] = [];
    const skipped: FiringClaim["skipped"][number][] = [];
    let nextDueAtMs = Infinity;
    for (const number of scopes.ofWorkspace(workspace)) {
      const scope = scopes.get(number);
      const limit = limits[scope.environment];
      const leasedOf = new Map(countLeased.all(number, nowMs));
      const ofScope: Candidate[] = [];
      for (const triggerId of triggersOf(number)) {
        nextDueAtMs = Math.min(nextDueAtMs, selectNextDue.get(number, triggerId, nowMs)?.[0] ?? Infinity);
        const leased = leasedOf.get(triggerId) ?? 0;
        const judged = judge(number, triggerId, leased, nowMs, limit);
        if (judged.skipped !== undefined) skipped.push({ scope, triggerId, ...judged.skipped });
        judged.passing.forEach((firing, index) => ofScope.push({ firing, rank: leased + index }));
      }
      candidates.push(...ofScope.sort(inTurn).slice(0, limit));
    }
    return {
      firings: candidates.sort(inTurn).flatMap(({ firing }) => claimed(firing, nowMs + leaseMs)),
      skipped,
      nextDueAtMs: nextDueAtMs === Infinity ? undefined : nextDueAtMs,
    };
  };
}

interface Skipped {
  readonly reason: "overlap" | "superseded";
  readonly count: number;
}

interface Judged {
  readonly passing: readonly number[];
  readonly skipped: Skipped | undefined;
}

function firingsOf(rows: readonly Firing[]): readonly number[] {
  return rows.map(([firing]) => firing);
}

function inTurn(a: Candidate, b: Candidate): number {
  return a.rank - b.rank || a.firing - b.firing;
}
