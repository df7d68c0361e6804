import type { NewInvocation } from "../new-invocation.ts";
import type { InvocationLease, InvocationSettlement, LeasedInvocation } from "../invocations.ts";
import type { RunCommit } from "../runs.ts";
import type { Scope } from "../scope.ts";
import type { Random } from "./random.ts";
import type { Step } from "./random-step.ts";
import { sandbox } from "./samples.ts";

/** A committed invocation with its run. */
export type RandomCall = Pick<RunCommit, "scope" | "runId"> &
  Pick<NewInvocation, "invocationId" | "connectionId" | "effectKey" | "lease">;

type Place = Pick<RandomCall, "scope" | "connectionId">;

/** The state of the runs that wait for invocations. */
export interface RandomRuns {
  readonly claimFor: () => { readonly claimFor?: string };
  /** A row that can follow from that effect. */
  readonly nextRow: (runId: string, effectKey: string) => RunCommit | undefined;
  readonly learn: (settled: InvocationSettlement, next: RunCommit | undefined) => void;
}

/** Random calls of private-connection clients and of the waiting runs: late, repeated, and with old tokens. */
export function invocationSteps(
  random: Random,
  scope: () => Scope,
  recent: () => readonly RandomCall[],
  runs: RandomRuns,
): readonly [() => Step, ...(() => Step)[]] {
  /** The latest leased invocations, newest first. */
  let leased: readonly (LeasedInvocation & Place)[] = [];
  let tokens = 0;

  const anywhere = (): Place => ({ scope: scope(), connectionId: random.pick(["connection-0", "connection-1"]) });
  const anyCall = (): RandomCall => {
    const unknown = {
      ...anywhere(),
      runId: "run-0",
      effectKey: "effect-review-0",
      invocationId: "invocation-0",
      lease: { leaseToken: "token-0", leaseMs: 1 },
    };
    const calls = recent();
    return calls[random.integer(calls.length)] ?? unknown;
  };
  const nearby = (call: Place): Place =>
    random.chance(0.85) ? { scope: call.scope, connectionId: call.connectionId } : anywhere();
  const anyLease = (): InvocationLease & Place => {
    const { lease, ...call } = anyCall();
    if (lease !== undefined && random.chance(0.3)) {
      return { ...nearby(call), invocationId: call.invocationId, leaseToken: lease.leaseToken };
    }
    const unknown = {
      invocationId: "invocation-0",
      leaseToken: "token-0",
      scope: sandbox,
      connectionId: "connection-0",
    };
    const { leaseToken, invocationId, ...place } = leased[random.integer(leased.length)] ?? unknown;
    const token = random.chance(0.9) ? leaseToken : `token-${random.integer(tokens + 1)}`;
    return { ...nearby(place), invocationId, leaseToken: token };
  };

  function lease(): Step {
    const leaseToken = `token-${++tokens}`;
    const place = nearby(anyCall());
    const limits = { limit: 1 + random.integer(4), leaseMs: random.integer(random.pick([30, 90])) };
    const request = { ...place, ...limits, leaseToken, functions: random.some(["screen", "pay", "refund"], 0.8) };
    return {
      name: "lease",
      call: ({ invocations }) => invocations.lease(request),
      learn: (answer) => {
        const dispatched = (answer as readonly LeasedInvocation[]).map((one) => ({ ...one, ...place }));
        leased = [...dispatched, ...leased].slice(0, 8);
      },
    };
  }

  function extend(): Step {
    const all = Array.from({ length: 2 + random.integer(5) }, anyLease);
    const leases = all.map(({ invocationId, leaseToken }) => ({ invocationId, leaseToken }));
    const { scope: of, connectionId } = all[0] ?? anywhere();
    const request = { scope: of, connectionId, leases, leaseMs: random.integer(15) };
    return { name: "extend", call: ({ invocations }) => invocations.extend(request) };
  }

  function settle(): Step {
    const one = anyLease();
    const call = recent().find(({ invocationId }) => invocationId === one.invocationId);
    const next = call !== undefined && random.chance(0.5) ? runs.nextRow(call.runId, call.effectKey) : undefined;
    const continuation = next === undefined ? runs.claimFor() : { claimFor: "worker-0", next };
    const request = { ...one, body: `${random.integer(100)}`, ...continuation };
    return {
      name: "settle an invocation",
      call: ({ invocations }) => invocations.settle(request),
      learn: (answer) => runs.learn(answer as InvocationSettlement, next),
    };
  }

  function expireLeases(): Step {
    const request = { workspace: scope().workspace, limit: 1 + random.integer(3), body: "{}" };
    return { name: "expireLeases", call: ({ invocations }) => invocations.expireLeases(request) };
  }

  function withdraw(): Step {
    const { scope: of, runId, effectKey } = anyCall();
    const request = { scope: random.chance(0.9) ? of : scope(), runId, effectKey };
    return { name: "withdraw", call: ({ invocations }) => invocations.withdraw(request) };
  }

  function recordClient(): Step {
    const client = random.chance(0.5) ? { clientId: `client-${random.integer(2)}`, version: "1.0.0" } : {};
    const request = { ...anywhere(), manifest: `manifest-${random.integer(2)}`, ...client };
    return { name: "recordClient", call: ({ invocations }) => invocations.recordClient(request) };
  }

  return [
    lease,
    lease,
    lease,
    extend,
    extend,
    settle,
    expireLeases,
    expireLeases,
    expireLeases,
    withdraw,
    recordClient,
  ];
}
