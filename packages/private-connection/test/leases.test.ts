import { describe, expect, test } from "vitest";
import { connect, connected, echo, functionOf, gate, nextEvent, startService } from "./setup.ts";
import { createTestRuntime, settle } from "./test-runtime.ts";

const isHeartbeat = ({ path }: { readonly path: string }): boolean => path === "/v1/sdk/heartbeat";
const isResult = ({ path }: { readonly path: string }): boolean => path === "/v1/sdk/result";

/** A function that runs until the test ends it, and reports the state of its signal. */
function slowFunction(idempotent: boolean) {
  const end = gate<unknown>();
  const signals: AbortSignal[] = [];
  const slow = functionOf(
    "slow",
    (_input, { signal }) => {
      signals.push(signal);
      return end.promise;
    },
    { idempotent, timeoutMs: 86_400_000 },
  );
  return { slow, end, signals };
}

describe("a function that is not idempotent", () => {
  test("is called only after the service answered the acknowledgement", async () => {
    let calls = 0;
    const { service } = await connected([functionOf("pay", () => ++calls)]);
    const order: string[] = [];
    service.faultOf = ({ path }) => void order.push(`${path} ${calls}`);
    await service.call("pay").settled;
    expect(order.slice(0, 3).filter((each) => !each.includes("poll"))).toEqual([
      "/v1/sdk/heartbeat 0",
      "/v1/sdk/result 1",
    ]);
  });

  test("is not called if its acknowledgement never arrives; the call is dispatched again and made once", async () => {
    let calls = 0;
    const { service, runtime } = await connected([functionOf("pay", () => ++calls)]);
    service.faultOf = (request) => (isHeartbeat(request) ? "refused" : undefined);
    const call = service.call("pay");
    for (let second = 0; second < 59; second++) await runtime.advance(1_000);
    expect(calls).toBe(0);
    service.faultOf = () => undefined;
    while (call.state === undefined) await runtime.advance(1_000);
    expect(call.state).toEqual({ status: "ok", output: 1 });
  });

  test("is not called if the acknowledgement's answer never arrives, and the caller learns that it was not", async () => {
    let calls = 0;
    const { service, runtime } = await connected([functionOf("pay", () => ++calls)]);
    service.faultOf = (request) => (isHeartbeat(request) ? "answer lost" : undefined);
    const call = service.call("pay");
    while (call.state === undefined) await runtime.advance(1_000);
    expect(call.state).toEqual({
      status: "error",
      error: "The function was not called: its acknowledgement was not answered in time.",
    });
    expect(calls).toBe(0);
  });

  test("is not called if the service has leased the call to another client meanwhile", async () => {
    let calls = 0;
    const { service, runtime, connection } = await connected([functionOf("pay", () => ++calls)], { concurrency: 1 });
    service.failNext("/v1/sdk/heartbeat", "refused");
    const heartbeat = service.arrival(isHeartbeat);
    const call = service.call("pay");
    await heartbeat;
    service.calls.expire("inv_1");
    const ended = nextEvent(connection, "invocation", ({ phase }) => phase === "ended");
    await runtime.advance(1_000);
    await ended;
    expect(call.state).toEqual({ status: "ok", output: 1 });
    expect(service.calls.all.get("inv_1")?.leases).toHaveLength(2);
    expect(service.received.filter(isResult)).toHaveLength(1);
  });

  test("is finished if the lease is lost during the call, and its late result settles the unknown outcome", async () => {
    const { slow, end, signals } = slowFunction(false);
    const { service, runtime, connection } = await connected([slow]);
    const started = nextEvent(connection, "invocation");
    const call = service.call("slow");
    await started;
    await settle();
    service.faultOf = () => "refused";
    service.cutConnections();
    while (call.state === undefined) await runtime.advance(5_000);
    expect(call.state).toEqual({ status: "unknown" });
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    end.resolve("paid");
    await runtime.advance(5_000);
    service.faultOf = () => undefined;
    for (let minute = 0; minute < 2; minute++) await runtime.advance(60_000);
    expect(call.state).toEqual({ status: "ok", output: "paid" });
    expect(service.calls.all.get("inv_1")).toMatchObject({ accepted: 1, leases: { length: 1 } });
  });

  test("is called once although it is dispatched again, during the call and afterwards", async () => {
    let calls = 0;
    const end = gate();
    const pay = functionOf("pay", () => (calls++, end.promise));
    const { service, runtime, connection, log } = await connected([pay, echo]);
    const started = nextEvent(connection, "invocation");
    service.call("pay");
    await started;
    await settle();
    const context = { environment: "sandbox", runId: null, procedureId: null, procedureVersion: null };
    const again = {
      id: "inv_1",
      function: "pay",
      input: {},
      leaseToken: "inv_1_lease_1",
      idempotencyKey: "k",
      context,
    };
    const fault = { status: 200, body: { invocations: [again, again] } };
    // A service that would allow any number of calls.
    service.faultOf = (request) => (isHeartbeat(request) ? { status: 200, body: { abandon: [] } } : undefined);
    service.failNext("/v1/sdk/poll", fault);
    await runtime.advance(25_000);
    end.resolve();
    await settle();
    service.failNext("/v1/sdk/poll", fault);
    await runtime.advance(25_000);
    await service.call("echo", { value: 1 }).settled;
    expect(calls).toBe(1);
    expect(log.lines.filter((line) => line.includes("dispatched again"))).toHaveLength(2);
  });
});

test("a call that is dispatched again to the client that still makes it continues under its new lease", async () => {
  const { slow, end, signals } = slowFunction(true);
  const { service } = await connected([slow]);
  const call = service.call("slow");
  await settle();
  service.calls.expire("inv_1");
  await settle();
  expect(service.calls.all.get("inv_1")?.leases).toHaveLength(2);
  end.resolve("done");
  expect(await call.settled).toEqual({ status: "ok", output: "done" });
  expect(signals).toHaveLength(1);
});

test("calls of one poll are acknowledged in one heartbeat", async () => {
  const end = gate();
  const pay = functionOf("pay", () => end.promise);
  const { service, connection } = await connected([pay], { concurrency: 8 });
  let started = 0;
  connection.on("invocation", ({ phase }) => (started += phase === "started" ? 1 : 0));
  service.failNext("/v1/sdk/poll");
  for (let n = 0; n < 4; n++) service.calls.add("pay", {}, false);
  await settle();
  await settle();
  expect(started).toBe(4);
  const acknowledged = service.received.filter(isHeartbeat).map(({ text }) => text.match(/invocationId/g)?.length);
  expect(acknowledged.reduce<number>((sum, count) => sum + (count ?? 0), 0)).toBe(4);
  end.resolve();
});

test("heartbeats keep a lease for as long as the handler runs, one every 15 s", async () => {
  const { slow, end } = slowFunction(true);
  const { service, runtime } = await connected([slow]);
  const call = service.call("slow");
  await settle();
  for (let minute = 0; minute < 10; minute++) await runtime.advance(60_000);
  expect(service.received.filter(isHeartbeat)).toHaveLength(40);
  end.resolve("done");
  expect(await call.settled).toEqual({ status: "ok", output: "done" });
  expect(service.calls.all.get("inv_1")?.leases).toHaveLength(1);
});

test("a failed heartbeat has no effect until the lease could have ended, and is soon repeated", async () => {
  const { slow, end, signals } = slowFunction(true);
  const { service, runtime } = await connected([slow]);
  const call = service.call("slow");
  await settle();
  service.faultOf = (request) => (isHeartbeat(request) ? "refused" : undefined);
  await runtime.advance(50_000);
  expect(service.received.filter(isHeartbeat).length).toBeGreaterThan(3);
  service.faultOf = () => undefined;
  await runtime.advance(15_000);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  end.resolve("done");
  expect(await call.settled).toEqual({ status: "ok", output: "done" });
  expect(service.calls.all.get("inv_1")?.leases).toHaveLength(1);
});

test("an idempotent call whose lease may have ended has its signal aborted, and no result is sent", async () => {
  const { slow, end, signals } = slowFunction(true);
  const { service, runtime, connection } = await connected([slow], { concurrency: 1 });
  service.call("slow");
  await settle();
  service.faultOf = (request) => (isHeartbeat(request) ? "refused" : undefined);
  await runtime.advance(59_000);
  expect(signals[0]?.aborted).toBe(false);
  await runtime.advance(1_000);
  expect(signals[0]?.aborted).toBe(true);
  const ended = nextEvent(connection, "invocation", ({ phase }) => phase === "ended");
  end.resolve("late");
  expect(await ended).toMatchObject({ result: "none" });
  expect(service.received.filter(isResult)).toEqual([]);
});

test("an abandoned call has its signal aborted, and no result is sent", async () => {
  const aborted = gate<unknown>();
  const slow = functionOf("slow", (_input, { signal }) => {
    signal.addEventListener("abort", () => aborted.resolve(signal.reason));
    return aborted.promise;
  });
  const { service, runtime, connection } = await connected([slow]);
  const ended = nextEvent(connection, "invocation", ({ phase }) => phase === "ended");
  service.call("slow");
  await settle();
  service.calls.giveUp("inv_1");
  await runtime.advance(15_000);
  expect(await aborted.promise).toEqual(new Error("The service abandoned the call."));
  expect(await ended).toMatchObject({ result: "none" });
  expect(service.received.filter(isResult)).toEqual([]);
});

test("a call whose lease ended goes to another client, and the first client's late result is refused", async () => {
  const { slow, end } = slowFunction(true);
  const first = await connected([slow], { concurrency: 1 });
  const { service, runtime } = first;
  const call = service.call("slow");
  await settle();
  const result = gate<unknown>();
  const second = connect(service, [functionOf("slow", () => result.promise, { idempotent: true })], runtime);
  await nextEvent(second.connection, "connected");
  await settle();
  // The first client is stopped, as by SIGSTOP: it neither sends heartbeats nor notices.
  service.calls.expire("inv_1");
  await settle();
  result.resolve("of the second");
  expect(await call.settled).toMatchObject({ output: "of the second" });
  const ended = nextEvent(first.connection, "invocation", ({ phase }) => phase === "ended");
  end.resolve("of the first");
  expect(await ended).toMatchObject({ result: "none" });
  expect(call.state).toMatchObject({ output: "of the second" });
  expect(service.calls.all.get("inv_1")).toMatchObject({ accepted: 1 });
});

describe("a client that was suspended for five minutes", () => {
  test.each([true, false])("makes no call that was dispatched before (idempotent: %s)", async (idempotent) => {
    let calls = 0;
    const service = await startService({ runtime: createTestRuntime() });
    const runtime = createTestRuntime();
    const { connection } = connect(service, [functionOf("work", () => ++calls, { idempotent })], runtime);
    await nextEvent(connection, "connected");
    await settle();
    service.call("work");
    runtime.leap(300_000);
    await settle();
    expect(service.calls.all.get("inv_1")?.leases).toHaveLength(1);
    expect(calls).toBe(0);
  });

  test("makes no call whose acknowledgement was answered before, and reports that it was not made", async () => {
    let calls = 0;
    const service = await startService({ runtime: createTestRuntime() });
    const runtime = createTestRuntime();
    const { connection } = connect(service, [functionOf("pay", () => ++calls)], runtime);
    await nextEvent(connection, "connected");
    service.faultOf = (request) => {
      if (isHeartbeat(request)) runtime.leap(300_000);
      return undefined;
    };
    expect(await service.call("pay").settled).toMatchObject({
      status: "error",
      error: expect.stringContaining("was not called"),
    });
    expect(calls).toBe(0);
  });

  test("aborts an idempotent call, and finishes a non-idempotent one", async () => {
    const idempotent = slowFunction(true);
    const once = slowFunction(false);
    for (const { slow, signals, end } of [idempotent, once]) {
      const service = await startService({ runtime: createTestRuntime() });
      const runtime = createTestRuntime();
      const { connection } = connect(service, [slow], runtime);
      await nextEvent(connection, "connected");
      await settle();
      service.call("slow");
      await settle();
      service.calls.expire("inv_1");
      runtime.leap(300_000);
      await runtime.advance(0);
      expect(signals[0]?.aborted).toBe(slow === idempotent.slow);
      end.resolve("late");
      await settle();
      expect(service.calls.all.get("inv_1")?.state).toEqual(
        slow === once.slow ? { status: "ok", output: "late" } : undefined,
      );
    }
  });
});
