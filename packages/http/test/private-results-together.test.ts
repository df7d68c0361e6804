import { interruptibleStorage, manualClock } from "@procedo-testing/faults";
import { maxJsonDepth, maxResultBytes, type Invocation, type JsonValue } from "@procedo/contract";
import { createMemoryStorage } from "@procedo/storage";
import { describe, expect, onTestFinished, test } from "vitest";
import { createHarness, type Harness } from "./harness.ts";
import { createOffice, leaseOf, resultOf, type Office } from "./private-office.ts";

interface Call {
  readonly runId: string;
  readonly invocation: Invocation;
}

/** A client that holds calls of several runs. */
async function holding(harness: Harness, count: number): Promise<{ readonly office: Office; readonly calls: Call[] }> {
  const office = await createOffice(harness);
  const calls: Call[] = [];
  for (let n = 0; n < count; n++) calls.push({ runId: await office.call(), invocation: await office.take() });
  return { office, calls };
}

async function saidOf(harness: Harness, { runId }: Call): Promise<JsonValue | undefined> {
  await harness.ended(runId);
  return (await harness.engine.runs.get({ environment: "sandbox", runId })).output?.["said"];
}

const taken = ({ invocation }: Call) => ({ invocationId: invocation.id, success: true });

describe("results that are sent together", () => {
  test("are settled individually: accepted, repeated, stale, and useless", async () => {
    const harness = await createHarness();
    const { office, calls } = await holding(harness, 5);
    const [fresh, repeated, stale, unfit, failing] = calls as [Call, Call, Call, Call, Call];
    await office.result(repeated.invocation, "first");
    const answer = await office.results([
      resultOf(fresh.invocation, { matches: 0 }),
      resultOf(repeated.invocation, "second"),
      resultOf({ ...stale.invocation, leaseToken: "another" }, 1),
      { ...resultOf(unfit.invocation, 1), status: "done" },
      { ...leaseOf(failing.invocation), status: "error", error: "The list is locked." },
    ]);
    const refused = { success: false, error: expect.any(String) };
    expect(answer).toMatchObject({
      status: 200,
      body: {
        results: [
          taken(fresh),
          taken(repeated),
          { ...refused, invocationId: stale.invocation.id, code: "stale_lease" },
          { ...refused, invocationId: unfit.invocation.id, code: "malformed_request" },
          taken(failing),
        ],
      },
    });
    expect([await saidOf(harness, fresh), await saidOf(harness, repeated)]).toEqual([{ matches: 0 }, "first"]);
    await harness.ended(failing.runId);
    const failed = await harness.engine.runs.get({ environment: "sandbox", runId: failing.runId });
    expect(failed).toMatchObject({ status: "failed", error: "The list is locked." });
    for (const { invocation } of [stale, unfit]) expect((await office.result(invocation, 1)).status).toBe(200);
  });

  test("get the same answer again, together and individually", async () => {
    const harness = await createHarness();
    const { office, calls } = await holding(harness, 2);
    const bodies = calls.map(({ invocation }) => resultOf(invocation, 1));
    const first = await office.results(bodies);
    expect(first).toMatchObject({ status: 200, body: { results: calls.map(taken) } });
    expect((await office.results(bodies)).body).toEqual(first.body);
    for (const { invocation } of calls) expect((await office.result(invocation, 1)).status).toBe(200);
  });

  test("are answered as a whole while storage is unavailable, and can all be sent again", async () => {
    const clock = manualClock();
    const gate = interruptibleStorage(createMemoryStorage({ now: clock.now }));
    onTestFinished(() => gate.mend());
    const harness = await createHarness({ clock, storage: gate.storage });
    const { office, calls } = await holding(harness, 2);
    const bodies = calls.map(({ invocation }) => resultOf(invocation, 1));
    gate.cut();
    const refused = await office.results(bodies);
    gate.mend();
    expect(refused).toMatchObject({ status: 503, body: { code: "storage_unavailable" } });
    expect(await office.results(bodies)).toMatchObject({ status: 200, body: { results: calls.map(taken) } });
  });

  test("of the other environment are stale, and with an unknown token unauthorized", async () => {
    const harness = await createHarness();
    const { office, calls } = await holding(harness, 1);
    const body = { results: calls.map(({ invocation }) => resultOf(invocation, 1)) };
    const ask = (key: string) => harness.ask("POST /v1/sdk/results", { key, body });
    expect((await ask(office.tokens.live)).body).toMatchObject({ results: [{ code: "stale_lease" }] });
    expect((await ask(`${office.tokens.sandbox}x`)).status).toBe(401);
  });

  test("keep every digit, and may nest as deep as a single result", async () => {
    const harness = await createHarness();
    const { office, calls } = await holding(harness, 2);
    const [exact, deep] = calls as [Call, Call];
    const text = JSON.stringify({
      results: [resultOf(exact.invocation, "here"), resultOf(deep.invocation, "deep")],
    })
      .replace('"here"', "9007199254740993")
      .replace('"deep"', "[".repeat(maxJsonDepth) + "]".repeat(maxJsonDepth));
    const answer = await harness.ask("POST /v1/sdk/results", { key: office.tokens.sandbox, text });
    expect(answer).toMatchObject({ status: 200, body: { results: calls.map(taken) } });
    expect(await saidOf(harness, exact)).toBe("9007199254740993");
  });

  test("may have 8 MiB in all", async () => {
    const harness = await createHarness();
    const { office, calls } = await holding(harness, 2);
    const half = (call: Call, bytes: number) => resultOf(call.invocation, "x".repeat(bytes));
    const post = (bytes: number) => office.results(calls.map((call) => half(call, bytes)));
    expect(await post(maxResultBytes / 2)).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
    expect((await post(maxResultBytes / 2 - 1_000)).status).toBe(200);
  });

  test.each([
    ["none", () => []],
    ["more than 32", (one: Call) => Array.from({ length: 33 }, (_, n) => resultOf({ ...one.invocation, id: `i${n}` }))],
    ["two for one call", (one: Call) => [resultOf(one.invocation, 1), resultOf(one.invocation, 2)]],
    ["one without its call's id", () => [{ leaseToken: "x", status: "ok" }]],
  ])("are refused as a whole when they are %s", async (_what, resultsOf) => {
    const harness = await createHarness();
    const { office, calls } = await holding(harness, 1);
    const [one] = calls as [Call];
    expect(await office.results(resultsOf(one))).toMatchObject({ status: 400, body: { code: "malformed_request" } });
    expect(await office.results([resultOf(one.invocation, 1)])).toMatchObject({ body: { results: [taken(one)] } });
  });
});
