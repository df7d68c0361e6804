import {
  lapsedKeyOf,
  maxClientsKept,
  type ClientPresence,
  type InvocationRow,
  type InvocationSettlement,
  type InvocationStore,
  type NewResult,
} from "../invocations.ts";
import type { Scope } from "../scope.ts";
import { assertStorable } from "../storable.ts";
import { append, follows } from "./memory-audit.ts";
import { commitOne } from "./memory-commit.ts";
import { postOne } from "./memory-inbox.ts";
import {
  findRun,
  keyOf,
  sameScope,
  type MemoryClient,
  type MemoryInvocation,
  type MemoryRun,
  type MemoryState,
} from "./state.ts";
import { leaseTo, ofRun } from "./add-invocation.ts";

/** A token that no client can present. */
const unusableToken = "\0";

const clientForgottenAfterMs = 24 * 60 * 60 * 1000;

export function memoryInvocations(state: MemoryState): InvocationStore {
  function find(scope: Scope, connectionId: string, invocationId: string): MemoryInvocation | undefined {
    const found = state.invocations.get(invocationId);
    return found !== undefined && isOf(found, scope, connectionId) ? found : undefined;
  }

  function clientsOf(scope: Scope, connectionId: string): readonly (readonly [key: string, client: MemoryClient])[] {
    return [...state.clients]
      .filter(([, client]) => client.connectionId === connectionId && sameScope(client.scope, scope))
      .sort(([, a], [, b]) => lastSeenFirst(a, b));
  }

  /** Settles the invocation if the result is accepted; otherwise the status is the reason. */
  function settleOne(found: MemoryInvocation, result: NewResult): InvocationSettlement {
    const { run, invocation, status } = found;
    const { leaseToken, body, claimFor, next } = result;
    const same = found.lease?.token === leaseToken;
    if (status === "settled") return { status: same ? "repeated" : "stale" };
    if (status === "withdrawn" || hasEnded(run)) return { status: "ended" };
    if (!same) return { status: "stale" };
    const { scope, runId } = run;
    const post = { scope, runId, effectKey: invocation.effectKey, body, closeReview: "settled" } as const;
    const posted = postOne(state, claimFor === undefined ? post : { ...post, claimFor });
    if (posted.status !== "accepted") return { status: "ended" };
    end(state, found, "settled");
    const { claimed } = posted;
    const continues = next?.runId === runId && claimed?.inbox.length === 1;
    if (continues && commitOne(state, next).status === "committed") {
      return { status: "accepted", claimed: undefined, continued: true };
    }
    return { status: "accepted", claimed };
  }

  return {
    async lease({ scope, connectionId, functions, limit, leaseMs, leaseToken }) {
      assertStorable(leaseToken);
      const now = state.now();
      const names = new Set(functions);
      const offered = [...state.pendingInvocations].filter(
        (one) =>
          isOf(one, scope, connectionId) &&
          names.has(one.invocation.functionName) &&
          isOffered(one, now) &&
          isOpen(one, now),
      );
      const lost = offered.filter(({ status }) => status !== "queued").sort(byLeaseEnd);
      const queued = offered.filter(({ status }) => status === "queued");
      return [...lost, ...queued].slice(0, limit).map((one) => leaseTo(one, leaseToken, now + leaseMs));
    },

    async extend({ scope, connectionId, leases, leaseMs }) {
      const now = state.now();
      return leases.map(({ invocationId, leaseToken }) => {
        const found = find(scope, connectionId, invocationId);
        if (found?.lease?.token !== leaseToken || hasEnded(found.run)) return "lost";
        if (found.status === "lapsed") return "lapsed";
        if (!isHeld(found, now)) return "lost";
        found.status = "acknowledged";
        found.lease = { token: leaseToken, endsAtMs: now + leaseMs };
        return "held";
      });
    },

    async settle(result) {
      // The result is stored even when the row cannot be.
      assertStorable([result.leaseToken, result.body]);
      const found = find(result.scope, result.connectionId, result.invocationId);
      return found === undefined ? { status: "not_found" } : settleOne(found, result);
    },

    async expireLeases({ workspace, limit, body }) {
      assertStorable(body);
      const now = state.now();
      const ended = [...state.pendingInvocations]
        .filter(({ status, run, invocation, lease }) => {
          const isOver = status === "acknowledged" && !invocation.idempotent && (lease?.endsAtMs ?? 0) <= now;
          return isOver && run.scope.workspace === workspace && !hasEnded(run);
        })
        .sort(byLeaseEnd)
        .slice(0, limit);
      return ended.map((one) => {
        const { scope, runId } = one.run;
        end(state, one, "lapsed");
        postOne(state, { scope, runId, effectKey: lapsedKeyOf(one.invocation.effectKey), body });
        return { scope, runId, invocationId: one.invocation.invocationId };
      });
    },

    async withdraw({ scope, runId, effectKey }) {
      const run = findRun(state, scope, runId);
      const found =
        run === undefined ? undefined : ofRun(state, run).find((one) => one.invocation.effectKey === effectKey);
      if (found === undefined) return "not_found";
      const { status, invocation } = found;
      if (status === "queued" || (status === "leased" && !invocation.idempotent)) end(state, found, "withdrawn");
      return found.status === "queued" || found.status === "leased" ? "acknowledged" : found.status;
    },

    async markUncertain({ scope, limit, audit }) {
      assertStorable(audit);
      if (!follows(state, scope.workspace, audit)) return { status: "audit_behind" };
      const lost = [...state.pendingInvocations]
        .filter(({ run }) => sameScope(run.scope, scope) && !hasEnded(run))
        .filter((one) => !one.invocation.idempotent && !isGone(one))
        .slice(0, limit);
      for (const one of lost) {
        one.status = "acknowledged";
        one.lease = { token: one.lease?.token ?? unusableToken, endsAtMs: 0 };
      }
      append(state, scope.workspace, audit);
      return { status: "marked", invocations: lost.length };
    },

    async ofRun({ scope, runId }) {
      const run = findRun(state, scope, runId);
      return run === undefined ? [] : ofRun(state, run).map(rowOf);
    },

    async backlog({ scope, connectionId }) {
      const now = state.now();
      const open = [...state.pendingInvocations].filter((one) => isOf(one, scope, connectionId) && isOpen(one, now));
      const queued = open.filter(({ status }) => status === "queued");
      return { queued: queued.length, leased: open.length - queued.length, oldestQueuedAtMs: queued[0]?.createdAtMs };
    },

    async recordClient({ scope, connectionId, manifest, clientId = "", version }) {
      assertStorable([scope, connectionId, manifest, clientId, version]);
      const now = state.now();
      const key = keyOf(scope.workspace, scope.environment, connectionId, manifest, clientId);
      state.clients.set(key, { scope, connectionId, manifest, clientId, version, lastSeenMs: now });
      const others = clientsOf(scope, connectionId).filter(([other]) => other !== key);
      others.forEach(([other, { lastSeenMs }], index) => {
        const isOld = lastSeenMs < now - clientForgottenAfterMs;
        if (isOld || index >= maxClientsKept - 1) state.clients.delete(other);
      });
    },

    async listClients({ scope, connectionId }) {
      return clientsOf(scope, connectionId).map(
        ([, { scope: _scope, connectionId: _id, ...presence }]): ClientPresence => presence,
      );
    },
  };
}

function end(state: MemoryState, one: MemoryInvocation, status: "settled" | "withdrawn" | "lapsed"): void {
  one.status = status;
  state.pendingInvocations.delete(one);
}

/** Whether the lease allows another client to lease it. */
function isOffered({ status, invocation, lease }: MemoryInvocation, nowMs: number): boolean {
  if (status === "queued") return true;
  const returns = status === "leased" || (status === "acknowledged" && invocation.idempotent);
  return returns && (lease?.endsAtMs ?? 0) <= nowMs;
}

/** Whether `markUncertain` has marked it: acknowledged by a client that no longer exists. */
function isGone({ status, lease }: MemoryInvocation): boolean {
  return status === "acknowledged" && lease?.endsAtMs === 0;
}

function isOpen({ run, invocation }: MemoryInvocation, nowMs: number): boolean {
  return !hasEnded(run) && invocation.deadlineMs > nowMs;
}

function isHeld(one: MemoryInvocation, nowMs: number): boolean {
  return one.status === "acknowledged" || (one.status === "leased" && one.invocation.deadlineMs > nowMs);
}

function isOf({ run, invocation }: MemoryInvocation, scope: Scope, connectionId: string): boolean {
  return invocation.connectionId === connectionId && sameScope(run.scope, scope);
}

function rowOf({ invocation, status, createdAtMs, lease }: MemoryInvocation): InvocationRow {
  const { payload: _payload, ...rest } = invocation;
  const isLeased = status === "leased" || status === "acknowledged";
  return { ...rest, status, createdAtMs, leaseEndsAtMs: isLeased ? lease?.endsAtMs : undefined };
}

function hasEnded({ place }: MemoryRun): boolean {
  return place.kind === "ended";
}

function byLeaseEnd(a: MemoryInvocation, b: MemoryInvocation): number {
  return (a.lease?.endsAtMs ?? 0) - (b.lease?.endsAtMs ?? 0) || a.number - b.number;
}

function lastSeenFirst(a: MemoryClient, b: MemoryClient): number {
  return b.lastSeenMs - a.lastSeenMs || compare(a.manifest, b.manifest) || compare(a.clientId, b.clientId);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
