import { ProcedoError } from "@procedo/contract";
import type { NewInvocation } from "../new-invocation.ts";
import type { LeasedInvocation } from "../invocations.ts";
import type { MemoryInvocation, MemoryRun, MemoryState } from "./state.ts";

/** @throws ProcedoError `internal` when the id is taken, or the effect already has an invocation */
export function assertNewInvocation(state: MemoryState, run: MemoryRun | undefined, invocation: NewInvocation): void {
  const { invocationId, effectKey } = invocation;
  const taken = run !== undefined && ofRun(state, run).some((one) => one.invocation.effectKey === effectKey);
  if (!taken && !state.invocations.has(invocationId)) return;
  throw new ProcedoError("internal", `Invocation "${invocationId}" exists already, or its effect has another.`);
}

export function addInvocation(state: MemoryState, run: MemoryRun, invocation: NewInvocation): void {
  const { lease, ...call } = invocation;
  const rest = { createdAtMs: state.now(), status: "queued", lease: undefined } as const;
  const added: MemoryInvocation = { number: state.nextNumber(), run, invocation: call, ...rest };
  if (lease !== undefined && call.deadlineMs > state.now()) {
    leaseTo(added, lease.leaseToken, state.now() + lease.leaseMs);
  }
  state.invocations.set(invocation.invocationId, added);
  state.pendingInvocations.add(added);
}

export function leaseTo(one: MemoryInvocation, token: string, endsAtMs: number): LeasedInvocation {
  one.status = "leased";
  one.lease = { token, endsAtMs };
  const { invocationId, functionName, idempotent, payload } = one.invocation;
  const { runId } = one.run;
  return { invocationId, leaseToken: token, runId, functionName, idempotent, payload, leaseEndsAtMs: endsAtMs };
}

export function ofRun(state: MemoryState, run: MemoryRun): readonly MemoryInvocation[] {
  return [...state.invocations.values()].filter((one) => one.run === run);
}
