import { invocationLeaseMs, type Invocation, type InvocationResult, type JsonObject } from "@procedo/contract";
import type { Runtime } from "../src/runtime.ts";
import type { Call, Settled } from "./private-service.ts";

/** A call in the service's queue. */
export interface FakeCall {
  readonly id: string;
  readonly function: string;
  readonly input: JsonObject;
  readonly idempotent: boolean;
  /** Every lease of the call, in order; the last one counts. */
  readonly leases: string[];
  /** Whether a client holds it now. */
  leased: boolean;
  acknowledged: boolean;
  cancelExpiry: () => void;
  state: Settled | undefined;
  /** The number of accepted results: at most one. */
  accepted: number;
}

/** The service's queue, leases and outcomes, by the rules of the protocol. */
export interface FakeCalls {
  readonly all: ReadonlyMap<string, FakeCall>;
  add(name: string, input: JsonObject, idempotent: boolean): Call & { readonly id: string };
  /** Leases up to `max` calls of these functions. */
  lease(max: number, functions: ReadonlySet<string>, environment: "sandbox" | "live"): Invocation[];
  /** Returns the ids to abandon. */
  extend(leases: readonly { readonly invocationId: string; readonly leaseToken: string }[]): string[];
  settle(result: InvocationResult): "accepted" | "stale";
  /** Cancels a call: its client is told to abandon it. */
  giveUp(id: string): void;
  /** Ends a lease now, as if it had expired. */
  expire(id: string): void;
  /** Called whenever a call is available. */
  onQueued: () => void;
}

export function createFakeCalls(runtime: Pick<Runtime, "after">): FakeCalls {
  const all = new Map<string, FakeCall>();
  const waiting = new Map<string, (settled: Settled) => void>();
  let queue: FakeCall[] = [];
  let ids = 0;

  function expire(call: FakeCall): void {
    call.cancelExpiry();
    if (!call.leased || call.state?.status === "ok" || call.state?.status === "error") return;
    call.leased = false;
    if (call.acknowledged && !call.idempotent) return settled(call, { status: "unknown" });
    call.acknowledged = false;
    queue.push(call);
    fake.onQueued();
  }
  function settled(call: FakeCall, state: Settled): void {
    call.state = state;
    waiting.get(call.id)?.(state);
    waiting.delete(call.id);
  }
  function keep(call: FakeCall): void {
    call.cancelExpiry();
    call.cancelExpiry = runtime.after(invocationLeaseMs, () => expire(call));
  }
  const isOpen = (call: FakeCall): boolean => call.state === undefined || call.state.status === "unknown";

  const fake: FakeCalls = {
    all,
    onQueued: () => {},
    add: (name, input, idempotent) => {
      const id = `inv_${++ids}`;
      const call: FakeCall = {
        ...{ id, function: name, input, idempotent, leases: [], leased: false, acknowledged: false, accepted: 0 },
        cancelExpiry: () => {},
        state: undefined,
      };
      all.set(id, call);
      const outcome = new Promise<Settled>((resolve) => waiting.set(id, resolve));
      queue.push(call);
      fake.onQueued();
      return {
        id,
        settled: outcome,
        get state() {
          return call.state;
        },
      };
    },
    lease: (max, functions, environment) => {
      const chosen = queue.filter((call) => functions.has(call.function)).slice(0, max);
      queue = queue.filter((call) => !chosen.includes(call));
      return chosen.map((call): Invocation => {
        const leaseToken = `${call.id}_lease_${call.leases.length + 1}`;
        call.leases.push(leaseToken);
        call.leased = true;
        keep(call);
        return {
          ...{ id: call.id, function: call.function, input: call.input, leaseToken, idempotencyKey: `key_${call.id}` },
          context: { environment, runId: "run_1", procedureId: "vendor-payment", procedureVersion: "v1" },
        };
      });
    },
    extend: (leases) =>
      leases.flatMap(({ invocationId, leaseToken }) => {
        const call = all.get(invocationId);
        if (call === undefined || call.leases.at(-1) !== leaseToken || !isOpen(call)) return [invocationId];
        // The result of an unknown outcome is still accepted from the last client that held the call.
        if (call.state?.status === "unknown") return [];
        if (!call.leased) return [invocationId];
        call.acknowledged = true;
        keep(call);
        return [];
      }),
    settle: (result) => {
      const call = all.get(result.invocationId);
      if (call === undefined || call.leases.at(-1) !== result.leaseToken) return "stale";
      // The first result counts; a repeated one gets the same answer.
      if (!isOpen(call)) return call.accepted > 0 ? "accepted" : "stale";
      if (!call.leased && call.state === undefined) return "stale";
      call.cancelExpiry();
      call.leased = false;
      call.accepted++;
      settled(
        call,
        result.status === "error"
          ? { status: "error", error: result.error }
          : { status: "ok", ...(result.output !== undefined && { output: result.output }) },
      );
      return "accepted";
    },
    giveUp: (id) => {
      const call = all.get(id);
      if (call === undefined) return;
      call.cancelExpiry();
      queue = queue.filter((one) => one !== call);
      settled(call, { status: "error", error: "The run was cancelled." });
    },
    expire: (id) => {
      const call = all.get(id);
      if (call !== undefined) expire(call);
    },
  };
  return fake;
}
