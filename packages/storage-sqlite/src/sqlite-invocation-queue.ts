import type { InvocationStore, LeasedInvocation } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { prepare, prepareTuple } from "./statement.ts";

/** The queue of invocations: those that can be dispatched, and those that have lapsed. */
export interface SqliteInvocationQueue {
  /** Whether {@link lease} would find an invocation. Reads outside a write. */
  isAny(scope: number, request: LeaseRequest): boolean;

  /** Dispatches invocations, within a write. */
  lease(scope: number, request: LeaseRequest): readonly LeasedInvocation[];

  /** Whether a lapsed invocation exists. Reads outside a write. */
  anyLapsed(workspace: string): boolean;

  /** The invocations that have lapsed by now, within a write. Excludes runs that have ended. */
  lapsed(workspace: string, limit: number): readonly LapsedRow[];
}

export interface LapsedRow {
  readonly invocation: number;
  readonly invocationId: string;
  readonly scope: number;
  readonly runId: string;
  readonly runEnded: 0 | 1;
  readonly effectKey: string;
  readonly leaseEndsAtMs: number;
}

type LeaseRequest = Parameters<InvocationStore["lease"]>[0];

interface OfferedRow {
  readonly invocation: number;
  readonly invocationId: string;
  readonly runId: string;
  readonly functionName: string;
  readonly idempotent: 0 | 1;
  readonly deadlineMs: number;
  readonly leaseEndsAtMs: number | null;
  readonly runEnded: 0 | 1;
}

/**
 * The number of rows that a dispatch reads at least. It removes rows that can no longer be dispatched from the queue.
 */
const leastRead = 50;

const leasable = "invocations INDEXED BY invocations_to_lease";
const toLapse = "invocations INDEXED BY invocations_to_lapse";

export function sqliteInvocationQueue({ db, now, scopes }: SqliteContext): SqliteInvocationQueue {
  // One step of a loose index scan: few functions have waiting calls, however many clients poll.
  const selectNextFunction = prepareTuple<[name: string | null]>(
    db,
    `SELECT min(function_name) FROM ${leasable}
      WHERE next = 'lease' AND scope = ? AND connection_id = ? AND function_name > ?`,
  );
  const offered = `SELECT invocation, invocation_id AS "invocationId", run_id AS "runId", function_name AS "functionName",
            idempotent, deadline_ms AS "deadlineMs", lease_ends_at_ms AS "leaseEndsAtMs",
            ended_at_ms IS NOT NULL AS "runEnded"
       FROM ${leasable} JOIN runs USING (run)
      WHERE next = 'lease' AND invocations.scope = ? AND connection_id = ? AND function_name = ?`;
  const selectLost = prepare<OfferedRow>(
    db,
    `${offered} AND lease_ends_at_ms <= ? ORDER BY lease_ends_at_ms, invocation LIMIT +?`,
  );
  const selectQueued = prepare<OfferedRow>(db, `${offered} AND lease_ends_at_ms IS NULL ORDER BY invocation LIMIT +?`);
  const leaseOne = prepareTuple<[payload: string | null]>(
    db,
    "UPDATE invocations SET status = 'leased', lease_token = ?, lease_ends_at_ms = ? WHERE invocation = ? RETURNING payload",
  );
  const leaveOut = prepare(db, "UPDATE invocations SET next = NULL WHERE invocation = ?");
  const selectLapsed = prepare<LapsedRow>(
    db,
    `SELECT invocation, invocation_id AS "invocationId", invocations.scope AS scope, run_id AS "runId",
            ended_at_ms IS NOT NULL AS "runEnded", effect_key AS "effectKey", lease_ends_at_ms AS "leaseEndsAtMs"
       FROM ${toLapse} JOIN runs USING (run)
      WHERE next = 'lapse' AND invocations.scope = ? AND lease_ends_at_ms <= ?
      ORDER BY lease_ends_at_ms, invocation LIMIT +?`,
  );

  function functionsWaiting(scope: number, { connectionId, functions }: LeaseRequest): readonly string[] {
    const known = new Set(functions);
    const waiting: string[] = [];
    const nextAfter = (name: string): string | null => selectNextFunction.get(scope, connectionId, name)?.[0] ?? null;
    for (let name = nextAfter(""); name !== null; name = nextAfter(name)) if (known.has(name)) waiting.push(name);
    return waiting;
  }

  /** The first rows of each function in dispatch order. Includes rows that can no longer be dispatched. */
  function firstOf(scope: number, request: LeaseRequest, atMs: number, count: number): readonly OfferedRow[] {
    const found = functionsWaiting(scope, request).flatMap((name) => [
      ...selectLost.all(scope, request.connectionId, name, atMs, count),
      ...selectQueued.all(scope, request.connectionId, name, count),
    ]);
    return found.sort(inTurn);
  }

  function lapsedNow(workspace: string, count: number): readonly LapsedRow[] {
    const atMs = now();
    const found = scopes.ofWorkspace(workspace).flatMap((scope) => selectLapsed.all(scope, atMs, count));
    return found.sort((a, b) => a.leaseEndsAtMs - b.leaseEndsAtMs || a.invocation - b.invocation);
  }

  return {
    isAny: (scope, request) => firstOf(scope, request, now(), 1).length > 0,

    lease(scope, request) {
      const { limit, leaseMs, leaseToken } = request;
      const atMs = now();
      for (;;) {
        const found = firstOf(scope, request, atMs, Math.max(limit, leastRead));
        const out = found.filter(({ runEnded, deadlineMs }) => runEnded === 1 || deadlineMs <= atMs);
        for (const { invocation } of out) leaveOut.run(invocation);
        if (out.length > 0) continue;
        const leaseEndsAtMs = atMs + leaseMs;
        return found.slice(0, limit).map(({ invocation, invocationId, runId, functionName, idempotent }) => {
          const payload = leaseOne.get(leaseToken, leaseEndsAtMs, invocation)?.[0] ?? "";
          const lease = { invocationId, leaseToken, leaseEndsAtMs };
          return { ...lease, runId, functionName, idempotent: idempotent === 1, payload };
        });
      }
    },

    anyLapsed: (workspace) => lapsedNow(workspace, 1).length > 0,

    lapsed(workspace, limit) {
      for (;;) {
        const found = lapsedNow(workspace, Math.max(limit, leastRead));
        const out = found.filter(({ runEnded }) => runEnded === 1);
        for (const { invocation } of out) leaveOut.run(invocation);
        if (out.length === 0) return found.slice(0, limit);
      }
    },
  };
}

function inTurn(a: OfferedRow, b: OfferedRow): number {
  const since = (a.leaseEndsAtMs ?? Infinity) - (b.leaseEndsAtMs ?? Infinity);
  return (Number.isNaN(since) ? 0 : since) || a.invocation - b.invocation;
}
