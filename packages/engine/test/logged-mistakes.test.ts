import { createEngine, defineIntegration, silentLog, z, type LogFields } from "@procedo/engine";
import { expect, onTestFinished, test, vi } from "vitest";
import { alice, createHarness, testKey } from "./harness.ts";
import { call, procedure, review } from "./documents.ts";

const start = { procedureId: "p", environment: "sandbox", data: {}, by: alice } as const;

/** An engine whose action throws the given value, and its log. */
async function throwing(thrown: unknown) {
  const { clock, storage } = await createHarness();
  const warnings: (LogFields & { readonly message: string })[] = [];
  const shop = defineIntegration({
    name: "shop",
    secrets: z.object({ token: z.string() }),
    actions: {
      buy: {
        description: "Buys.",
        input: z.looseObject({}),
        effect: "once",
        run: () => {
          throw thrown;
        },
      },
    },
  });
  const warn = (message: string, fields: LogFields = {}): void => void warnings.push({ message, ...fields });
  const engine = createEngine({
    storage,
    integrations: [shop],
    masterKey: testKey,
    workspace: "shop",
    clock,
    log: { ...silentLog, warn },
  });
  const secrets = { token: "tok-canary-1" };
  await engine.connections.create({ name: "shop", integration: "shop", environment: "sandbox", secrets, by: alice });
  await engine.start();
  const node = {
    id: "buy",
    kind: "tool_call",
    connection: "shop",
    action: "buy",
    arguments: { card: "card-canary-2" },
  };
  await engine.procedures.publish({ document: procedure([node as never]), version: "v1", by: alice });
  const { runId } = await engine.runs.start(start);
  await clock.settle();
  await engine.stop({ drainMs: 0 });
  return { runId, warnings: warnings.filter(({ message }) => message === "An action threw an exception.") };
}

test("an exception in an action is logged with its stack, run, node and action, and without a payload", async () => {
  const error = new TypeError("Cannot pay card-canary-2 with tok-canary-1", { cause: new RangeError("card-canary-2") });
  const { runId, warnings } = await throwing(error);
  expect(warnings).toMatchObject([{ runId, nodeId: "buy", connection: "shop", action: "buy", attempt: 1 }]);
  expect(warnings[0]?.["stack"]).toMatch(
    /^TypeError\n +at .*logged-mistakes\.test\.ts[^]*\ncaused by RangeError\n +at /,
  );
  expect(JSON.stringify(warnings)).not.toMatch(/canary/);
});

test("a thrown value that is not an error is logged, too", async () => {
  expect((await throwing("card-canary-2")).warnings).toMatchObject([{ nodeId: "buy", stack: "a string was thrown" }]);
});

test("warnings and errors go to the console unless the program chooses another log", async () => {
  const { storage, clock } = await createHarness();
  const said: string[] = [];
  for (const level of ["info", "warn", "error"] as const) {
    const spy = vi.spyOn(console, level).mockImplementation((line) => void said.push(`${level}: ${line}`));
    onTestFinished(() => spy.mockRestore());
  }
  const broken = defineIntegration({
    name: "broken",
    actions: {
      it: {
        description: "Breaks.",
        input: z.object({}),
        effect: "once",
        run: () => Promise.reject(new TypeError("x")),
      },
    },
  });
  for (const log of [undefined, silentLog]) {
    said.length = 0;
    const options = {
      storage,
      integrations: [broken],
      masterKey: testKey,
      workspace: log === undefined ? "loud" : "quiet",
      clock,
    };
    const engine = createEngine({ ...options, ...(log !== undefined && { log }) });
    await engine.start();
    const node = { id: "it", kind: "tool_call", connection: "broken", action: "it" } as const;
    await engine.procedures.publish({ document: procedure([node]), version: "v1", by: alice });
    await engine.runs.start(start);
    await clock.settle();
    await engine.stop({ drainMs: 0 });
    const lines = said.filter((line) => line.includes("An action threw an exception."));
    expect(lines).toEqual(
      log === undefined ? [expect.stringMatching(/^warn: procedo: .* nodeId=it .* stack=TypeError/)] : [],
    );
  }
});

const noWorker = { code: "overloaded", message: expect.stringContaining("Call engine.start()") as string };

test("execute fails at once if no worker executes runs, and starts nothing", async () => {
  const harness = await createHarness();
  await harness.publish(procedure([call("a", "once")]));
  await harness.engine.stop();
  const idle = await harness.addEngine({ started: false });
  await expect(idle.runs.execute(start)).rejects.toMatchObject(noWorker);
  expect((await idle.runs.list({ environment: "sandbox", limit: 10 })).items).toEqual([]);
  const { runId } = await idle.runs.start(start);
  await expect(idle.runs.wait({ environment: "sandbox", runId })).rejects.toMatchObject(noWorker);
});

test("an engine that is not started waits for other workers", async () => {
  const harness = await createHarness();
  await harness.publish(procedure([call("a", "once")]));
  const idle = await harness.addEngine({ started: false });
  const executed = idle.runs.execute(start);
  await harness.clock.advance(5_000);
  expect(await executed).toMatchObject({ status: "completed" });
});

test("a run that waits or has ended is returned without any worker", async () => {
  const harness = await createHarness();
  await harness.publish(procedure([review("r")]));
  const runId = await harness.run();
  await harness.engine.stop();
  const idle = await harness.addEngine({ started: false });
  expect(await idle.runs.wait({ environment: "sandbox", runId })).toMatchObject({ status: "awaiting_review" });
});
