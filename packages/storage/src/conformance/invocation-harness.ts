import { beforeEach, expect } from "vitest";
import type { InvocationLease, InvocationSettlement, InvocationStore, LeasedInvocation } from "../invocations.ts";
import type { Harness, ConformanceOptions } from "./harness.ts";
import { useHarness } from "./harness.ts";
import { commitAll, committed, completed, invokingRun, row, sandbox } from "./samples.ts";

type LeaseRequest = Parameters<InvocationStore["lease"]>[0];

/** Scope and connection of the suite's invocations, unless a test names others. */
export const connection = { scope: sandbox, connectionId: "connection-1" };

/** `invocation-1` under the token of a test's first lease. */
export const held: InvocationLease = { invocationId: "invocation-1", leaseToken: "token-1" };

/** The inbox of a run after `invocation-1` is settled. */
export const result = [{ effectKey: "effect-invocation-1", body: '{"ok":1}' }];

/** A harness with the calls of runs and clients for invocations of one connection. */
export interface InvocationHarness {
  readonly harness: () => Harness;
  /** Creates runs that wait for their invocations. */
  readonly commit: (...items: Parameters<typeof invokingRun>[]) => Promise<void>;
  /** Leases for a second, under `token-1`, `token-2` … in order of the calls. */
  readonly lease: (changes?: Partial<LeaseRequest>) => Promise<readonly LeasedInvocation[]>;
  readonly leasedIds: (changes?: Partial<LeaseRequest>) => Promise<readonly string[]>;
  readonly extend: (leases: readonly InvocationLease[], leaseMs?: number) => Promise<readonly string[]>;
  readonly settle: (one: InvocationLease, body?: string) => Promise<InvocationSettlement["status"]>;
  readonly withdraw: (runId: string, effectKey: string) => Promise<string>;
  readonly statusOf: (runId: string) => Promise<unknown>;
  readonly inboxOf: (runId: string) => Promise<readonly unknown[]>;
  readonly endRun: (runId: string) => Promise<unknown>;
  /** `run-1` waits for `invocation-1`, which a client has acknowledged under `token-1`. */
  readonly begin: () => Promise<void>;
}

/** Creates an invocation harness for each test of the surrounding `describe`. */
export function useInvocationHarness(options: ConformanceOptions): InvocationHarness {
  const harness = useHarness(options);
  let tokens = 0;
  beforeEach(() => {
    tokens = 0;
  });

  const commit: InvocationHarness["commit"] = async (...items) => {
    const results = await commitAll(
      harness().storage.runs,
      items.map((item) => invokingRun(...item)),
    );
    expect(results).toEqual(items.map(() => committed));
  };
  const lease: InvocationHarness["lease"] = (changes = {}) => {
    tokens += 1;
    const request = { ...connection, functions: ["screen"], limit: 99, leaseMs: 1_000, leaseToken: `token-${tokens}` };
    return harness().storage.invocations.lease({ ...request, ...changes });
  };
  const extend: InvocationHarness["extend"] = (leases, leaseMs = 1_000) =>
    harness().storage.invocations.extend({ ...connection, leases, leaseMs });

  return {
    harness,
    commit,
    lease,
    extend,
    leasedIds: async (changes) => (await lease(changes)).map(({ invocationId }) => invocationId),
    settle: async (one, body = '{"ok":1}') =>
      (await harness().storage.invocations.settle({ ...connection, ...one, body })).status,
    withdraw: (runId, effectKey) => harness().storage.invocations.withdraw({ scope: sandbox, runId, effectKey }),
    statusOf: async (runId) =>
      (await harness().storage.invocations.ofRun({ scope: sandbox, runId })).map(({ status }) => status),
    inboxOf: (runId) => harness().storage.inbox.read({ scope: sandbox, runId }),
    endRun: (runId) => commitAll(harness().storage.runs, [row(runId, 2, { then: completed })]),
    begin: async () => {
      await commit(["run-1", "invocation-1"]);
      expect(await extend(await lease())).toEqual(["held"]);
    },
  };
}
