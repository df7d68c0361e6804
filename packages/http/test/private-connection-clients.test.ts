import { interceptVerbs, manualClock } from "@procedo-testing/faults";
import { maxResultBytes } from "@procedo/contract";
import { createMemoryStorage } from "@procedo/storage";
import { describe, expect, test } from "vitest";
import { createHarness, textOf, until, type Harness } from "./harness.ts";
import { createOffice, leaseOf, resultOf } from "./private-office.ts";

const sandbox = (runId: string) => ({ environment: "sandbox", runId }) as const;

/** A storage that reports when it was asked for calls: from then on a poll is being held. */
function watchedStorage() {
  let looks = 0;
  const storage = interceptVerbs(createMemoryStorage({ now: () => Date.now() }), {
    "invocations.lease": async (lease) => {
      const leased = await lease();
      looks += 1;
      return leased;
    },
  });
  return {
    storage,
    held: () => {
      const from = looks;
      return until(async () => looks > from);
    },
  };
}

async function heldPoll(options: { readonly overTcp?: boolean } = {}) {
  const { storage, held } = watchedStorage();
  const harness = await createHarness({ storage });
  const office = await createOffice(harness);
  const digest = await office.register();
  const listening = options.overTcp === true ? await harness.listen() : undefined;
  const gone = new AbortController();
  const holding = held();
  const target = `/v1/sdk/poll?max=10&manifest=${digest}`;
  const polling =
    listening === undefined
      ? harness.ask(`GET ${target}`, { key: office.tokens.sandbox, signal: gone.signal })
      : fetch(listening.url + target, {
          headers: { authorization: `Bearer ${office.tokens.sandbox}` },
          signal: gone.signal,
        });
  await holding;
  return { harness, office, polling, gone, held, listening };
}

async function leased(harness: Harness) {
  const office = await createOffice(harness);
  const runId = await office.call();
  return { office, runId, invocation: await office.take() };
}

describe("a call", () => {
  test("is dispatched to a poll, acknowledged, answered, and its run continues", async () => {
    const harness = await createHarness();
    const { office, runId, invocation } = await leased(harness);
    expect(invocation).toMatchObject({
      function: "screen",
      input: { name: "Acme" },
      context: { environment: "sandbox", runId, procedureId: "calls-office" },
    });
    const heartbeat = { invocations: [leaseOf(invocation)] };
    const kept = await harness.ask("POST /v1/sdk/heartbeat", { key: office.tokens.sandbox, body: heartbeat });
    expect(kept).toMatchObject({ status: 200, body: { abandon: [] } });
    expect(await office.result(invocation, { matches: 0 })).toMatchObject({ status: 200, body: { success: true } });
    await harness.ended(runId);
    const run = await harness.engine.runs.get(sandbox(runId));
    expect(run).toMatchObject({ status: "completed", output: { said: { matches: 0 } } });
  });

  test("goes to a held poll", async () => {
    const { office, polling } = await heldPoll();
    await office.call();
    expect((await polling).status).toBe(200);
  });

  test("fails its step with the message that the client sends", async () => {
    const harness = await createHarness();
    const { office, runId, invocation } = await leased(harness);
    const body = { ...leaseOf(invocation), status: "error", error: "The list is locked." };
    expect((await harness.ask("POST /v1/sdk/result", { key: office.tokens.sandbox, body })).status).toBe(200);
    await harness.ended(runId);
    expect(await harness.engine.runs.get(sandbox(runId))).toMatchObject({ error: "The list is locked." });
  });

  test("is not dispatched to a client that has disconnected", async () => {
    const { office, polling, gone } = await heldPoll();
    gone.abort();
    await polling;
    await office.call();
    expect((await office.take()).function).toBe("screen");
  });
});

describe("a poll", () => {
  test("is answered 204 without a body after 25 s", async () => {
    const clock = manualClock();
    const harness = await createHarness({ clock });
    const polling = (await createOffice(harness)).poll();
    await clock.advance(25_000);
    const answer = await polling;
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect(answer.headers.get("x-request-id")).toMatch(/^req_/);
    expect(answer.headers.get("content-type")).toBeNull();
  });

  test.each(["", "?manifest=unknown"])("for unregistered functions is a 412: %s", async (query) => {
    const harness = await createHarness();
    const { tokens } = await createOffice(harness);
    const answer = await harness.ask(`GET /v1/sdk/poll${query}`, { key: tokens.sandbox });
    expect(answer).toMatchObject({ status: 412, body: { code: "manifest_required" } });
  });

  test("by HEAD leases nothing: it is a 405", async () => {
    const harness = await createHarness();
    const office = await createOffice(harness);
    await office.call();
    const digest = await office.register();
    const head = await harness.ask(`HEAD /v1/sdk/poll?manifest=${digest}`, { key: office.tokens.sandbox });
    expect([head.status, head.headers.get("allow")]).toEqual([405, "GET, OPTIONS"]);
    expect((await office.take()).function).toBe("screen");
  });

  test("that is held ends with 401 as soon as its token is regenerated", async () => {
    const { harness, office, polling } = await heldPoll();
    const key = await harness.key();
    const path = `/api/v1/connections/${office.connectionId}/private-connection/tokens/sandbox`;
    expect((await harness.ask(`POST ${path}`, { key })).status).toBe(200);
    expect((await polling).status).toBe(401);
  });

  test("that is held ends with 401 when its connection is deleted", async () => {
    const { harness, office, polling } = await heldPoll();
    const { connectionId } = office;
    await harness.engine.connections.remove({ environment: "sandbox", connectionId, by: { person: "olga" } });
    expect((await polling).status).toBe(401);
  });

  test("that is held is answered 204 at once when the listener closes, without delaying it", async () => {
    const { polling, listening } = await heldPoll({ overTcp: true });
    const closed = listening?.close(600_000);
    expect((await polling).status).toBe(204);
    await closed;
  });

  test("over TCP that its client aborts leases nothing", async () => {
    const { office, polling, gone, held } = await heldPoll({ overTcp: true });
    gone.abort();
    await expect(polling).rejects.toMatchObject({ name: "AbortError" });
    // The next request is queued behind it: it starts as soon as the first one has ended.
    const holding = held();
    const next = office.poll({ max: 1 });
    await holding;
    await office.call();
    expect((await next).status).toBe(200);
  });

  test("stores the client's description of itself, which is shown", async () => {
    const harness = await createHarness();
    const office = await createOffice(harness);
    await office.call();
    const headers = { "procedo-client": "a1", "user-agent": "procedo-private-connection/1.2.3 (node)" };
    expect((await office.poll({ headers })).status).toBe(200);
    const { connectionId } = office;
    await until(async () => {
      const status = await harness.engine.privateConnections.status({ environment: "sandbox", connectionId });
      return status.clients.some(({ clientId, version }) => clientId === "a1" && version === headers["user-agent"]);
    });
  });
});

describe("a heartbeat", () => {
  test("returns the calls that do not belong to this client", async () => {
    const harness = await createHarness();
    const { office, invocation } = await leased(harness);
    const stranger = { invocationId: "inv_never", leaseToken: "x" };
    const body = { invocations: [leaseOf(invocation), stranger] };
    const answer = await harness.ask("POST /v1/sdk/heartbeat", { key: office.tokens.sandbox, body });
    expect(answer.body).toEqual({ abandon: ["inv_never"] });
  });
});

describe("a result", () => {
  test("that is sent again gets the same answer", async () => {
    const harness = await createHarness();
    const { office, invocation } = await leased(harness);
    const [first, second] = [await office.result(invocation, 1), await office.result(invocation, 2)];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body).toEqual(first.body);
  });

  test.each(["another lease token", "another call", "the other environment"])("of %s is a 409", async (what) => {
    const harness = await createHarness();
    const { office, invocation } = await leased(harness);
    const given = what === "another lease token" ? { ...invocation, leaseToken: "x" } : invocation;
    const body = resultOf(what === "another call" ? { ...given, id: "inv_never" } : given, 1);
    const key = what === "the other environment" ? office.tokens.live : office.tokens.sandbox;
    const answer = await harness.ask("POST /v1/sdk/result", { key, body });
    expect(answer).toMatchObject({ status: 409, body: { code: "stale_lease" } });
    expect((await office.result(invocation, 1)).status).toBe(200);
  });

  test("keeps every digit of its numbers", async () => {
    const harness = await createHarness();
    const { office, runId, invocation } = await leased(harness);
    const text = JSON.stringify(resultOf(invocation, "here")).replace(
      '"here"',
      '{"cents":9007199254740993,"rate":0.1}',
    );
    expect((await harness.ask("POST /v1/sdk/result", { key: office.tokens.sandbox, text })).status).toBe(200);
    await harness.ended(runId);
    const { output } = await harness.engine.runs.get(sandbox(runId));
    expect(output).toEqual({ said: { cents: "9007199254740993", rate: 0.1 } });
  });

  test.each([
    ["nothing", undefined, null],
    ["null", null, null],
    ["an empty text", "", ""],
  ])("of %s is accepted", async (_what, output, said) => {
    const harness = await createHarness();
    const { office, runId, invocation } = await leased(harness);
    expect((await office.result(invocation, output)).status).toBe(200);
    await harness.ended(runId);
    const run = await harness.engine.runs.get(sandbox(runId));
    expect(run.status).toBe("completed");
    expect(run.output?.["said"] ?? null).toEqual(said);
  });

  test("has at most 8 MiB", async () => {
    const harness = await createHarness();
    const { office, invocation } = await leased(harness);
    const empty = JSON.stringify(resultOf(invocation, ""));
    const post = (bytes: number) =>
      harness.ask("POST /v1/sdk/result", {
        key: office.tokens.sandbox,
        text: empty.replace(/""/, `"${"x".repeat(bytes - empty.length)}"`),
      });
    expect(await post(maxResultBytes + 1)).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
    expect((await post(maxResultBytes)).status).toBe(200);
  });
});

test("functions with an unusable input schema are refused, each with its reason", async () => {
  const harness = await createHarness();
  const { tokens } = await createOffice(harness);
  const functions = [
    { name: "fine", description: "d", input: { type: "object" } },
    { name: "broken", description: "d", input: { type: "objekt" } },
  ];
  const answer = await harness.ask("PUT /v1/sdk/functions", { key: tokens.sandbox, body: { functions } });
  expect(answer).toMatchObject({ status: 422, body: { code: "invalid_input" } });
  expect(textOf(JSON.stringify(answer.body["details"]))).toContain("/functions/1/input");
});

test("the clients of one token may send as many requests as a key", async () => {
  const clock = manualClock();
  const harness = await createHarness({ clock, requestsPerSecond: 1 });
  const { tokens, connectionId } = await createOffice(harness);
  const ask = (key: string) => harness.ask("GET /v1/sdk/poll", { key });
  expect([(await ask(tokens.sandbox)).status, (await ask(tokens.sandbox)).status]).toEqual([412, 412]);
  expect(await ask(tokens.sandbox)).toMatchObject({ status: 429, body: { code: "rate_limited" } });
  expect((await ask(tokens.live)).status).toBe(412);
  expect(connectionId).toMatch(/^con_/);
});
