import { seededRandom } from "@procedo-testing/faults";
import { describe, expect, test } from "vitest";
import type { Fault, FakeService } from "./fake-service.ts";
import { connect, functionOf, startService } from "./setup.ts";
import { createFastRuntime } from "./test-runtime.ts";

const faults: readonly Fault[] = [
  "refused",
  "answer lost",
  "answer cut",
  { status: 502, body: "<html>" },
  { status: 429, headers: { "retry-after": "1" } },
];

/** The number of times that each call's function ran, in any client. */
type Runs = Map<string, number>;

const functionsThat = (count: Runs) => {
  const run = async (_input: unknown, { id }: { readonly id: string }) => {
    count.set(id, (count.get(id) ?? 0) + 1);
    await new Promise((resolve) => setImmediate(resolve));
    return id;
  };
  return [functionOf("read", run, { idempotent: true }), functionOf("pay", run)];
};

const callCount = 800;

/** Makes calls, half of them of a non-idempotent function; resolves when the state of each is known. */
async function makeCalls({ calls }: FakeService) {
  const made = Array.from({ length: callCount }, (_, n) => calls.add(n % 2 === 0 ? "pay" : "read", {}, n % 2 !== 0));
  await Promise.all(made.map(({ settled }) => settled));
}

function checkCalls({ calls }: FakeService, runs: Runs): void {
  expect(calls.all.size).toBe(callCount);
  for (const { id, idempotent, accepted, state } of calls.all.values()) {
    const ran = runs.get(id) ?? 0;
    // One accepted result each, or none if a person decides.
    expect(accepted).toBe(state?.status === "unknown" ? 0 : 1);
    if (state?.status === "ok") expect([state.output, ran > 0]).toEqual([id, true]);
    if (idempotent) expect(state?.status).toBe("ok");
    else expect(ran).toBeLessThanOrEqual(1);
    // An error says that the function was not called.
    if (state?.status === "error") expect(ran).toBe(0);
  }
}

describe.each([1, 2, 3])("two clients of one token (seed %i)", (seed) => {
  test("answer each call exactly once while a fifth of all requests fail and connections are cut", async () => {
    const draw = seededRandom(seed).uniform;
    const runtime = createFastRuntime(100);
    const service = await startService({ runtime });
    let failures = 0;
    service.faultOf = () => (draw() < 0.2 ? (failures++, faults[Math.floor(draw() * faults.length)]) : undefined);
    const runs: Runs = new Map();
    const clients = [1, 2].map(() => connect(service, functionsThat(runs), runtime));
    const cutting = setInterval(() => service.cutConnections(), 50);
    await makeCalls(service);
    clearInterval(cutting);
    service.faultOf = () => undefined;
    await Promise.all(clients.map(({ connection }) => connection.close()));
    expect(failures).toBeGreaterThan(100);
    checkCalls(service, runs);
    // No client died, so no call is left to a person.
    expect([...service.calls.all.values()].filter(({ state }) => state?.status === "unknown")).toEqual([]);
  });

  test("that are killed and replaced in turn run no non-idempotent call twice", async () => {
    const draw = seededRandom(seed).uniform;
    const runtime = createFastRuntime(200);
    const service = await startService({ runtime });
    const runs: Runs = new Map();
    const clients = [1, 2].map(() => connect(service, functionsThat(runs), runtime));
    let kills = 0;
    const killing = setInterval(() => {
      kills++;
      const killed = clients.splice(draw() < 0.5 ? 0 : 1, 1, connect(service, functionsThat(runs), runtime));
      // No call ends and no result is sent any more.
      for (const { connection } of killed) void connection.close({ drainMs: 0 });
    }, 10);
    await makeCalls(service);
    clearInterval(killing);
    await Promise.all(clients.map(({ connection }) => connection.close()));
    expect(kills).toBeGreaterThan(0);
    checkCalls(service, runs);
  });
});
