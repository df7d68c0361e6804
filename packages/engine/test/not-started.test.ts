import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createEngine, defineIntegration, z, type GuardedFetch } from "@procedo/engine";
import { createMemoryStorage } from "@procedo/storage";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { alice, createHarness, testKey, type Harness, type HarnessEngine } from "./harness.ts";
import { call, procedure } from "./documents.ts";
import { breaks, type BankAction } from "./scripted-bank.ts";

const tried = { procedureId: "p", environment: "sandbox" } as const;

/** Stops the engine when its next row is durable, before the engine receives the answer. */
function stopsBeforeItsCall(harness: Harness, engine: HarnessEngine): void {
  let stopped = false;
  engine.way.on("runs.commit", async (work) => {
    const result = await work();
    if (!stopped) {
      stopped = true;
      void engine.stop({ drainMs: 0 });
      await new Promise<void>((resolve) => void harness.clock.after(10, resolve));
    }
    return result;
  });
}

/** A run that this many engines claim in turn, each of which stops before it has started the call. */
async function stoppedOften(times: number, action: BankAction, policy: StoppedRun = {}) {
  const { settings = {}, toolCalls = 100 } = policy;
  const harness = await createHarness();
  const document = procedure([call("a", action, settings)], { output: { id: "{{ nodes.a.output.id }}" } });
  await harness.publish({ ...document, budgets: { run: { toolCalls } } });
  stopsBeforeItsCall(harness, harness.engine);
  const start = harness.engine.runs.start({ ...tried, data: {}, by: alice });
  await harness.clock.advance(2_000);
  const { runId } = await start;
  for (let time = 1; time < times; time++) {
    const engine = await harness.addEngine({ started: false });
    stopsBeforeItsCall(harness, engine);
    await engine.start();
    await harness.clock.advance(2_000);
  }
  expect(harness.bank.calls).toEqual([]);
  return { harness, runId };
}

interface StoppedRun {
  readonly settings?: Parameters<typeof call>[2];
  readonly toolCalls?: number;
}

describe("a worker that stops between an intent and its call", () => {
  test.each<BankAction>(["read", "idempotent", "once"])("consumes no attempt of a %s call", async (action) => {
    const { harness, runId } = await stoppedOften(6, action, { toolCalls: 1 });
    const successor = await harness.addEngine();
    await harness.clock.advance(2_000);
    const { status, steps } = await successor.runs.get({ environment: "sandbox", runId });
    expect(status).toBe("completed");
    const stopped = { outcome: "not_started", message: "The worker was stopped before the call was sent." };
    expect(steps[1]?.attempts).toMatchObject([...Array.from({ length: 6 }, () => stopped), { outcome: "ok" }]);
    expect(harness.bank.calls).toHaveLength(1);
  });

  test("leaves all attempts to the next worker, with the delays between them", async () => {
    const { harness, runId } = await stoppedOften(5, "read");
    harness.bank.plan("read", ...Array.from({ length: 9 }, () => breaks()));
    const successor = await harness.addEngine();
    await harness.clock.advance(60_000);
    expect((await successor.runs.get({ environment: "sandbox", runId })).status).toBe("failed");
    const times = harness.bank.calls.map(({ atMs }) => atMs);
    expect(times).toHaveLength(4);
    for (const [index, pause] of [1_000, 2_000, 4_000].entries()) {
      const gap = (times[index + 1] ?? 0) - (times[index] ?? 0);
      expect(gap).toBeGreaterThanOrEqual(pause / 2);
      expect(gap).toBeLessThanOrEqual(pause);
    }
  });

  test("does not change the decisions of a backtest of the same version or of one with fewer attempts", async () => {
    const { harness } = await stoppedOften(6, "once");
    const successor = await harness.addEngine();
    await harness.clock.advance(2_000);
    expect(await successor.backtest({ ...tried, version: "v1", strict: true })).toMatchObject({ runs: 1, same: 1 });
    const once = procedure([call("a", "once", { retry: { maxAttempts: 1 } })], {
      output: { id: "{{ nodes.a.output.id }}" },
    });
    expect(await successor.backtest({ ...tried, document: once, strict: true })).toMatchObject({ runs: 1, same: 1 });
  });
});

describe("a worker that stops after it has called the action", () => {
  /**
   * The outcome of a call with this code after its worker has stopped, and of its run. With a real clock, because
   * requests take real time.
   */
  async function stopDuringCall(
    effect: "idempotent" | "once",
    run: (post: () => Promise<unknown>) => Promise<unknown>,
  ) {
    const begun = Promise.withResolvers<void>();
    const server = createServer((_request, response) => response.end("{}")).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const post = (fetch: GuardedFetch) =>
      fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { method: "POST" });
    let calls = 0;
    const service = defineIntegration({
      name: "service",
      actions: ({ defineAction }) => ({
        post: defineAction({
          description: "Waits until it is aborted, the second time.",
          input: z.object({}),
          effect,
          run: async (_input, { fetch, signal }) => {
            calls += 1;
            // The first run initializes the client, so that the second one answers as soon as it is aborted.
            if (calls === 1) await post(fetch);
            if (calls !== 2) return {};
            begun.resolve();
            await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
            return await run(() => post(fetch));
          },
        }),
      }),
    });
    const storage = createMemoryStorage({ now: Date.now });
    const open = async () => {
      const options = {
        storage,
        integrations: [service],
        masterKey: testKey,
        egress: { allowNetworks: ["127.0.0.1"] },
      };
      const engine = createEngine(options);
      onTestFinished(() => engine.stop({ drainMs: 0 }));
      await engine.start();
      return engine;
    };
    const stopped = await open();
    const node = {
      id: "a",
      kind: "tool_call",
      connection: "service",
      action: "post",
      retry: { maxAttempts: 1 },
    } as const;
    await stopped.procedures.publish({ document: procedure([node]), version: "v1", by: alice });
    await stopped.runs.execute({ ...tried, data: {}, by: alice });
    const { runId } = await stopped.runs.start({ ...tried, data: {}, by: alice });
    await begun.promise;
    await stopped.stop({ drainMs: 0 });
    const successor = await open();
    const read = () => successor.runs.get({ environment: "sandbox", runId });
    await vi.waitFor(async () => expect((await read()).status).not.toBe("running"));
    const { status, steps } = await read();
    return { status, first: steps[1]?.attempts[0]?.outcome };
  }

  test("did not start the call if its first request was withheld", async () => {
    expect(await stopDuringCall("idempotent", (post) => post())).toEqual({ status: "completed", first: "not_started" });
  });

  test('runs the code of a "once" action no more often than its policy allows', async () => {
    expect(await stopDuringCall("once", (post) => post())).toEqual({ status: "failed", first: "error" });
  });

  test("has started the call if the action made no request", async () => {
    const breaking = () => Promise.reject(new Error("cut"));
    expect(await stopDuringCall("once", breaking)).toEqual({ status: "awaiting_review", first: "unknown" });
  });
});
