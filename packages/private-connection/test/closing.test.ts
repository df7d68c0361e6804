import { describe, expect, test } from "vitest";
import { assemblePrivateConnection } from "../src/connection/create-private-connection.ts";
import { connected, echo, functionOf, gate, nextEvent, startService } from "./setup.ts";
import { createTestRuntime, settle } from "./test-runtime.ts";

const isPath = (path: string) => (request: { readonly path: string }) => request.path === path;

describe("close()", () => {
  test("finishes running calls, delivers their results, accepts no new ones, and resolves start()", async () => {
    const end = gate<unknown>();
    const { service, connection, ended } = await connected([functionOf("slow", () => end.promise), echo]);
    const started = nextEvent(connection, "invocation");
    const running = service.call("slow");
    await started;
    const closed = connection.close();
    expect(connection.state).toEqual({ status: "draining" });
    await settle();
    const late = service.call("echo", { value: 1 });
    await settle();
    end.resolve("done");
    await closed;
    await ended;
    expect(running.state).toEqual({ status: "ok", output: "done" });
    expect(late.state).toBeUndefined();
    expect(connection.state).toEqual({ status: "stopped", reason: "closed", unfinished: [] });
  });

  test("keeps the leases of running calls", async () => {
    const end = gate();
    const { service, connection, runtime } = await connected([functionOf("slow", () => end.promise)]);
    const started = nextEvent(connection, "invocation");
    const call = service.call("slow");
    await started;
    const closed = connection.close({ drainMs: 3_600_000 });
    for (let minute = 0; minute < 4; minute++) await runtime.advance(60_000);
    end.resolve();
    await closed;
    expect(call.state).toEqual({ status: "ok" });
    expect(service.received.filter(isPath("/v1/sdk/heartbeat")).length).toBeGreaterThanOrEqual(16);
  });

  test("delivers results once the service is available again", async () => {
    const { service, connection, runtime } = await connected([echo]);
    service.faultOf = (request) => (isPath("/v1/sdk/result")(request) ? { status: 503 } : undefined);
    const posted = service.arrival(isPath("/v1/sdk/result"));
    const call = service.call("echo", { value: 1 });
    await posted;
    const closed = connection.close();
    await settle();
    service.faultOf = () => undefined;
    await runtime.advance(2_000);
    await closed;
    expect(call.state).toEqual({ status: "ok", output: 1 });
  });

  test("aborts and names the calls that are not finished within drainMs", async () => {
    const signals: AbortSignal[] = [];
    const stuck = functionOf("stuck", (_input, { signal }) => (signals.push(signal), new Promise(() => undefined)));
    const { service, connection, runtime, ended } = await connected([stuck]);
    const started = nextEvent(connection, "invocation");
    service.call("stuck");
    await started;
    await settle();
    const stopped = nextEvent(connection, "stopped");
    const closed = connection.close({ drainMs: 5_000 });
    await runtime.advance(4_999);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    await runtime.advance(1);
    await closed;
    await ended;
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(await stopped).toEqual({ reason: "closed", unfinished: ["inv_1"] });
  });

  test("may be called twice, and ends the wait for an unavailable service", async () => {
    const runtime = createTestRuntime();
    const service = await startService({ runtime });
    service.faultOf = () => "refused";
    const connection = assemblePrivateConnection(
      { ...{ url: service.url, token: service.token, functions: [echo], proxy: false }, log: silent },
      runtime,
    );
    const ended = connection.start();
    await nextEvent(connection, "reconnecting");
    await Promise.all([connection.close(), connection.close()]);
    await ended;
    expect(runtime.nextTimerInMs()).toBe(Infinity);
  });

  test("leaves no connection and no timer behind", async () => {
    const { service, connection, runtime } = await connected([echo]);
    await service.call("echo", { value: 1 }).settled;
    await connection.close();
    await settle();
    await settle();
    expect(service.openConnections).toBe(0);
    // The remaining ones belong to the service.
    await service[Symbol.asyncDispose]();
    await runtime.advance(60_000);
    expect(runtime.nextTimerInMs()).toBe(Infinity);
  });

  test.each([-1, Number.NaN, 86_400_001])("refuses a drainMs of %s", async (drainMs) => {
    const { connection } = await connected([echo]);
    await expect(connection.close({ drainMs })).rejects.toMatchObject({ code: "invalid_configuration" });
  });
});

const silent = { info: () => {}, warn: () => {}, error: () => {} };

test("a second start() returns the same promise, and starts no second loop", async () => {
  const { service, connection, ended } = await connected([echo]);
  expect(connection.start()).toBe(ended);
  await settle();
  expect(service.received.filter(isPath("/v1/sdk/poll"))).toHaveLength(1);
});

test("a connection that was closed does not start again", async () => {
  const { connection } = await connected([echo]);
  await connection.close();
  await expect(connection.start()).resolves.toBeUndefined();
  const fresh = assemblePrivateConnection(
    { url: "http://127.0.0.1:1", token: "run_live_x", functions: [echo], log: silent },
    createTestRuntime(),
  );
  await fresh.close();
  await expect(fresh.start()).rejects.toMatchObject({ code: "already_ended" });
});

test("a listener or log that throws does not affect the connection", async () => {
  const failing = (): never => {
    throw new Error("of the listener");
  };
  const { service, connection } = await connected([echo], {
    log: { info: failing, warn: failing, error: failing },
  });
  connection.on("invocation", failing);
  const ended = nextEvent(connection, "invocation", ({ phase }) => phase === "ended");
  expect(await service.call("echo", { value: 1 }).settled).toMatchObject({ status: "ok" });
  expect(await ended).toMatchObject({ function: "echo", id: "inv_1", runId: "run_1", result: "ok" });
});

test("a removed listener is not called again", async () => {
  const { service, connection } = await connected([echo]);
  let heard = 0;
  connection.on("invocation", () => heard++)();
  await service.call("echo", { value: 1 }).settled;
  expect(heard).toBe(0);
});
