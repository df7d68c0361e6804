import { describe, expect, test } from "vitest";
import type { Fault } from "./fake-service.ts";
import { startRelay } from "./relay.ts";
import { connect, connected, echo, functionOf, gate, nextEvent, startService } from "./setup.ts";
import { createTestRuntime, settle } from "./test-runtime.ts";

const isPoll = ({ path }: { readonly path: string }): boolean => path === "/v1/sdk/poll";

test("a client that starts while the service is down connects when it comes up", async () => {
  const runtime = createTestRuntime();
  const down = await startService({ runtime });
  const port = Number(new URL(down.url).port);
  await down[Symbol.asyncDispose]();
  const { connection, log } = connect(down, [echo], runtime);
  expect(connection.state).toEqual({ status: "connecting" });
  expect((await nextEvent(connection, "reconnecting")).error.message).toContain("No server listens at the address.");
  for (let attempt = 0; attempt < 5; attempt++) await runtime.advance(60_000);
  expect(connection.state).toMatchObject({ status: "reconnecting", attempt: expect.any(Number) });

  const up = await startService({ runtime, port });
  const again = nextEvent(connection, "connected");
  await runtime.advance(60_000);
  expect(await again).toEqual({ environment: "sandbox" });
  expect(connection.state).toEqual({ status: "connected" });
  expect(await up.call("echo", { value: 1 }).settled).toEqual({ status: "ok", output: 1 });
  expect(log.lines.filter((line) => line.startsWith("error"))).toEqual([]);
});

test("a restarted service, which knows no manifest, receives it again", async () => {
  const { service, connection, runtime } = await connected([echo]);
  const port = Number(new URL(service.url).port);
  const lost = nextEvent(connection, "reconnecting");
  await service[Symbol.asyncDispose]();
  await lost;
  const restarted = await startService({ runtime, port });
  const again = nextEvent(connection, "connected");
  await runtime.advance(60_000);
  await again;
  expect(await restarted.registeredFunctions()).toEqual(["echo"]);
  expect(await restarted.call("echo", { value: 1 }).settled).toMatchObject({ status: "ok" });
});

test("a service that forgot the manifest while it held a poll receives it again at once", async () => {
  const { service, log } = await connected([echo]);
  for (let time = 0; time < 3; time++) {
    await settle();
    const registered = service.arrival(({ method }) => method === "PUT");
    service.forgetManifests();
    await registered;
    await settle();
    expect(await service.call("echo", { value: 1 }).settled).toMatchObject({ status: "ok" });
  }
  expect(log.lines.filter((line) => !line.startsWith("info"))).toEqual([]);
});

describe.each(["/v1/sdk/functions", "/v1/sdk/poll"])("at %s the client recovers from", (path) => {
  const faults: readonly (readonly [name: string, fault: Fault])[] = [
    ["a reset connection", "refused"],
    ["a lost answer", "answer lost"],
    ["a truncated answer", "answer cut"],
    ["a half-open connection without data", "silence"],
    ["a proxy's 502 page", { status: 502, body: "<html><h1>Bad Gateway</h1></html>" }],
    ["a 504", { status: 504, body: "" }],
    ["a 200 with a page", { status: 200, body: "<html>Please log in</html>" }],
    ["a 200 with invalid JSON", { status: 200, body: '{"invocations": [' }],
    ["a 200 of another protocol", { status: 200, body: { ok: true } }],
    ["an empty 200", { status: 200, body: "" }],
    ["a redirect, which is not followed", { status: 302, headers: { location: "https://elsewhere.example" } }],
    ["a 403", { status: 403, body: { error: "Not from this network.", code: "permission_denied" } }],
    ["a 404", { status: 404, body: "<html>" }],
    ["a 408", { status: 408 }],
    ["a 429", { status: 429 }],
    ["a 500", { status: 500 }],
  ];

  test.each(faults)("%s", async (_name, fault) => {
    const runtime = createTestRuntime();
    const service = await startService({ runtime });
    service.failNext(path, fault);
    const failed = service.arrival((request) => request.path === path);
    const { connection } = connect(service, [echo], runtime);
    const reconnecting = nextEvent(connection, "reconnecting");
    await failed;
    // Ends a held poll.
    service.call("echo", { value: 0 });
    await settle();
    if (fault === "silence") await runtime.advance(30_000);
    expect(await reconnecting).toMatchObject({ attempt: 1 });
    const again = nextEvent(connection, "connected");
    await runtime.advance(1_000);
    await again;
    expect(await service.call("echo", { value: 1 }).settled).toEqual({ status: "ok", output: 1 });
  });
});

test("connections that die silently are all replaced within two heartbeats", async () => {
  const service = await startService({ runtime: createTestRuntime() });
  const relay = await startRelay(service.url);
  const runtime = createTestRuntime();
  const { connection } = connect(service, [echo], runtime, { url: relay.url });
  await nextEvent(connection, "connected");
  // Several connections are open and idle when the network drops them: each result was sent individually.
  service.takesSeveral = false;
  await Promise.all(Array.from({ length: 8 }, (_, n) => service.call("echo", { value: n }).settled));
  await settle();
  expect(relay.connections).toBeGreaterThan(2);
  relay.swallow();
  await runtime.advance(29_999);
  expect(connection.state.status).toBe("connected");
  const lost = nextEvent(connection, "reconnecting");
  await runtime.advance(1);
  expect((await lost).error.message).toContain("nothing arrived within 30000 ms");
  const again = nextEvent(connection, "connected");
  await runtime.advance(1_000);
  await again;
  expect(await service.call("echo", { value: 9 }).settled).toMatchObject({ status: "ok" });
});

test.each([
  ["/v1/sdk/functions", 1_048_576],
  ["/v1/sdk/poll", 5_242_880],
])("an answer of %s that is larger than any of the protocol is not read to its end", async (path, most) => {
  const runtime = createTestRuntime();
  const service = await startService({ runtime });
  service.failNext(path, { status: 200, body: "x".repeat(most + 1) });
  const { connection } = connect(service, [echo], runtime, { concurrency: 2 });
  const { error } = await nextEvent(connection, "reconnecting");
  expect(error.message).toContain(`the answer is larger than ${most} bytes`);
});

test("a failure is reported with its reason, and 403 is retried", async () => {
  const runtime = createTestRuntime();
  const service = await startService({ runtime });
  service.faultOf = () => ({ status: 403, body: { error: "Not from this network.", code: "permission_denied" } });
  const { connection, log } = connect(service, [echo], runtime);
  await nextEvent(connection, "reconnecting");
  expect(connection.state).toMatchObject({ status: "reconnecting", attempt: 1, error: { code: "permission_denied" } });
  expect(log.lines.join("\n")).toContain("PUT /v1/sdk/functions was answered with 403: Not from this network.");
});

describe("backoff", () => {
  test("grows from 1 s to a ceiling of 60 s and restarts after a success", async () => {
    const runtime = createTestRuntime();
    const service = await startService({ runtime });
    runtime.luck = 0.999;
    service.faultOf = () => ({ status: 500 });
    const { connection } = connect(service, [echo], runtime);
    const delays: number[] = [];
    connection.on("reconnecting", ({ delayMs }) => delays.push(Math.round(delayMs / 1_000)));
    while (delays.length < 9) {
      await settle();
      await runtime.advance(runtime.nextTimerInMs());
    }
    expect(delays).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
    service.faultOf = () => undefined;
    const polled = service.arrival(isPoll);
    await runtime.advance(60_000);
    await polled;
    await service.call("echo", { value: 1 }).settled;
    const lost = nextEvent(connection, "reconnecting");
    service.faultOf = () => ({ status: 500 });
    service.cutConnections();
    expect(await lost).toMatchObject({ attempt: 1 });
  });

  test.each([
    ["seconds", () => ({ "retry-after": "120" })],
    [
      "a date, measured by the service's own clock",
      () => ({
        date: "Fri, 01 Jan 2010 00:00:00 GMT",
        "retry-after": "Fri, 01 Jan 2010 00:02:00 GMT",
      }),
    ],
  ])("respects Retry-After in %s", async (_name, headers) => {
    for (const status of [429, 503]) {
      const runtime = createTestRuntime();
      const service = await startService({ runtime });
      service.failNext("/v1/sdk/functions", { status, headers: headers() });
      const { connection } = connect(service, [echo], runtime);
      expect((await nextEvent(connection, "reconnecting")).delayMs).toBe(120_500);
      await runtime.advance(120_000);
      expect(service.received).toHaveLength(1);
      await runtime.advance(1_000);
      expect(connection.state).toEqual({ status: "connected" });
    }
  });

  test("a service that repeatedly requests the manifest is reported as a failure", async () => {
    const runtime = createTestRuntime();
    const service = await startService({ runtime });
    service.faultOf = (request) => (isPoll(request) ? { status: 412 } : undefined);
    const { connection } = connect(service, [echo], runtime);
    expect((await nextEvent(connection, "reconnecting")).error).toMatchObject({ code: "manifest_required" });
  });

  test("slows down requests to a service that never knows the manifest, does not hold polls, or returns only ignored data", async () => {
    const context = { environment: "sandbox", runId: null, procedureId: null, procedureVersion: null };
    const again = { id: "inv_1", function: "pay", input: {}, leaseToken: "l", idempotencyKey: "k", context };
    const polls: readonly Fault[] = [{ status: 412 }, { status: 204 }, { status: 200, body: { invocations: [again] } }];
    for (const answer of polls) {
      const runtime = createTestRuntime();
      const service = await startService({ runtime });
      const answers: Readonly<Record<string, Fault>> = {
        "/v1/sdk/poll": answer,
        "/v1/sdk/heartbeat": { status: 200, body: { abandon: [] } },
        "/v1/sdk/result": { status: 200, body: { success: true } },
      };
      service.faultOf = ({ path }) => answers[path];
      connect(service, [functionOf("pay", () => 1)], runtime);
      for (let second = 0; second < 60; second++) await runtime.advance(1_000);
      expect(service.received.filter(isPoll).length).toBeGreaterThan(2);
      expect(service.received.filter(isPoll).length).toBeLessThan(200);
    }
  });
});

describe("401", () => {
  test.each(["/v1/sdk/functions", "/v1/sdk/poll", "/v1/sdk/heartbeat", "/v1/sdk/result"])(
    "at %s stops the client at once, with one logged error and a rejected start()",
    async (path) => {
      const runtime = createTestRuntime();
      const service = await startService({ runtime });
      service.faultOf = (request) =>
        request.path === path
          ? { status: 401, body: { error: "It is unauthorized.", code: "unauthorized" } }
          : undefined;
      const { connection, ended, log } = connect(service, [functionOf("pay", () => 1)], runtime);
      const stopped = nextEvent(connection, "stopped");
      await settle();
      service.call("pay");
      await expect(ended).rejects.toMatchObject({ code: "unauthorized" });
      expect(await stopped).toMatchObject({ reason: "unauthorized" });
      expect(connection.state).toMatchObject({ status: "stopped", reason: "unauthorized" });
      expect(log.lines.filter((line) => line.startsWith("error"))).toHaveLength(1);
      const before = service.received.length;
      await runtime.advance(600_000);
      expect(service.received).toHaveLength(before);
      expect(runtime.nextTimerInMs()).toBe(Infinity);
    },
  );

  test("also ends a poll that is held when the token is regenerated", async () => {
    const { service, ended, connection } = await connected([echo]);
    await service.regenerateToken();
    await expect(ended).rejects.toMatchObject({ code: "unauthorized" });
    expect(connection.state.status).toBe("stopped");
  });

  test("aborts running calls, and names those without a result", async () => {
    const aborted = gate<unknown>();
    const slow = functionOf("slow", (_input, { signal }) => {
      signal.addEventListener("abort", () => aborted.resolve(signal.reason));
      return new Promise(() => undefined);
    });
    const { service, connection, ended } = await connected([slow]);
    const started = nextEvent(connection, "invocation");
    service.call("slow");
    await started;
    await service.regenerateToken();
    await expect(ended).rejects.toMatchObject({ code: "unauthorized" });
    expect(await aborted.promise).toBeInstanceOf(Error);
    expect(connection.state).toMatchObject({ status: "stopped", unfinished: ["inv_1"] });
  });
});

test.each(["", "/", "/tenants/acme", "/tenants/acme/"])("an address may end in %j", async (suffix) => {
  const runtime = createTestRuntime();
  const service = await startService({ runtime, prefix: suffix.replace(/\/$/, "") });
  const url = new URL(suffix, service.url).href;
  const { connection } = connect(service, [echo], runtime, { url });
  await nextEvent(connection, "connected");
  expect(await service.call("echo", { value: 1 }).settled).toMatchObject({ status: "ok" });
});

test("a clock that is ten minutes wrong, or jumps, has no effect", async () => {
  const { service, connection, runtime } = await connected([echo]);
  for (const jumpMs of [600_000, -1_200_000]) {
    runtime.jump(jumpMs);
    await runtime.advance(120_000);
    expect(connection.state.status).toBe("connected");
    expect(await service.call("echo", { value: jumpMs }).settled).toMatchObject({ output: jumpMs });
  }
});

test("the service sees the version and the id of each client", async () => {
  const { service } = await connected([echo]);
  const { default: manifest } = await import("../package.json", { with: { type: "json" } });
  for (const { headers } of service.received) {
    expect(headers["user-agent"]).toBe(
      `procedo-private-connection/${manifest.version} (node ${process.versions.node}; ${process.platform})`,
    );
    expect(headers).toMatchObject({ "procedo-client": "id_1" });
  }
});

test("an old lastPollAt shows that no calls arrive", async () => {
  const runtime = createTestRuntime();
  const service = await startService({ runtime });
  const { connection } = connect(service, [echo], runtime);
  expect(connection.lastPollAt).toBeUndefined();
  await nextEvent(connection, "connected");
  await settle();
  await service.call("echo", { value: 1 }).settled;
  expect(connection.lastPollAt).toEqual(new Date(runtime.now()));
});
