import { startModelServer, type ModelServer } from "@procedo-testing/model-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { manualClock } from "@procedo-testing/faults";
import { askModel } from "../src/models/ask-model.ts";
import { guardedFetch } from "../src/egress/guarded-fetch.ts";
import { createEgress } from "../src/egress/egress.ts";
import { createNotice } from "../src/ports/notice.ts";
import { askOnce, fetches, modelOf, ports, providers, requestOf } from "./model-harness.ts";

/* The limits of an attempt in time and size, and the data that it never reveals. */

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const call = { input: { vendorId: "ven_1", amount: 500 } };
const ways = providers.flatMap((provider) =>
  [false, true].flatMap((streaming) =>
    Object.entries(fetches).map(
      ([network, fetch]) =>
        [`${provider}, ${streaming ? "streamed" : "whole"}, ${network} fetch`, { provider, streaming, fetch }] as const,
    ),
  ),
);

/** Resolves when the service has received one request more than `before`. */
async function nextRequest(before: number) {
  for (;;) {
    const request = server.requests[before];
    if (request !== undefined) return request;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe.each(ways)("%s", (_name, { provider, streaming, fetch }) => {
  const model = () => modelOf(provider, { ...server, fetch });

  test.each([
    ["does not start", undefined],
    ["stops in the middle", { text: "I will pay this invoice", toolCalls: [call] }],
  ])("an answer that %s is aborted at the timeout, and its connection closed", async (_how, after) => {
    const clock = manualClock();
    const before = server.requests.length;
    server.script({ kind: "stall", ...(after === undefined ? {} : { after }) });
    const asking = askModel({ ...ports, clock }, { model: model(), streaming, timeoutMs: 30_000 }, requestOf());
    const request = await nextRequest(before);
    await clock.advance(30_000);
    expect(await asking).toEqual({
      result: {
        status: "error",
        modelId: model().modelId,
        error: { message: expect.stringContaining("did not answer within 30,000 ms.") },
      },
      latencyMs: 30_000,
      retry: {},
    });
    await request.abandoned;
  });

  test("an attempt ends when the worker stops, and its connection is closed", async () => {
    const aborted = createNotice();
    const before = server.requests.length;
    server.script({ kind: "stall", after: { text: "I will pay this invoice" } });
    const asking = askModel(ports, { model: model(), streaming }, requestOf({ aborted }));
    const request = await nextRequest(before);
    aborted.give();
    expect(await asking).toMatchObject({ result: { status: "error" }, retry: {} });
    await request.abandoned;
  });

  test("a reply above the limit of a step is a permanent failure that names the limit", async () => {
    const text = "All is well. ".repeat(1_000);
    server.script({ kind: "reply", text });
    const limits = { stepBytes: 10_000, depth: 64 };
    const attempt = await askModel({ ...ports, limits }, { model: model(), streaming }, requestOf());
    expect(attempt).toMatchObject({
      result: { error: { message: expect.stringContaining("10000 bytes"), code: "limit" } },
    });
    expect(attempt).not.toHaveProperty("retry");
    server.script({ kind: "reply", text });
    const roomy = await askModel(ports, { model: model(), streaming }, requestOf());
    expect(roomy).toMatchObject({ result: { reply: { content: [{ text }] } } });
  });

  test("a key that the service echoes is in no error", async () => {
    const wrong = "sk-live-abcdefghijklmnopqrstuvwxyz-1234567890";
    const asked = modelOf(provider, { ...server, key: wrong, fetch });
    const attempt = await askModel(ports, { model: asked, streaming, secrets: [wrong] }, requestOf());
    expect(attempt).toMatchObject({
      result: { error: { message: expect.stringContaining("Check the key in the model's configuration.") } },
    });
    expect(attempt).not.toHaveProperty("retry");
    expect(JSON.stringify(attempt)).toContain("[redacted]");
    expect(JSON.stringify(attempt)).not.toContain(wrong.slice(0, 20));
  });

  test("a key that the service echoes is in no reply", async () => {
    const { key } = server;
    const said = { text: `I was asked with ${key}.`, toolCalls: [{ input: { vendorId: key, amount: 1 } }] };
    const attempt = await askOnce(server, { kind: "reply", ...said }, { model: model(), streaming, secrets: [key] });
    expect(attempt).toMatchObject({ result: { reply: { content: [{ text: "I was asked with [redacted]." }, {}] } } });
    expect(JSON.stringify(attempt)).not.toContain(key);
  });

  test("a thousand tool calls in one reply are returned unjudged", async () => {
    const toolCalls = Array.from({ length: 1_000 }, (_, index) => ({ ...call, id: `call_${index}` }));
    const many = await askOnce(server, { kind: "reply", toolCalls }, { model: model(), streaming });
    expect(many).toMatchObject({ result: { status: "ok", reply: { content: { length: 1_000 } } } });
  });
});

test("a reply keeps text that looks like a placeholder for a key", async () => {
  const model = modelOf("compatible", { ...server, fetch: fetches.guarded });
  const attempt = await askOnce(server, { kind: "reply", text: "ollama" }, { model, secrets: ["ollama"] });
  expect(attempt).toMatchObject({ result: { reply: { content: [{ text: "ollama" }] } } });
});

test("a long error body is quoted in part", async () => {
  const model = modelOf("openai", { ...server, fetch: fetches.guarded });
  const attempt = await askOnce(server, { kind: "error", status: 400, body: "x".repeat(100_000) }, { model });
  const body = `${"x".repeat(499)}…`;
  expect(attempt).toMatchObject({ result: { error: { details: { status: 400, body } } } });
});

test("an account without credit is not asked again", async () => {
  const model = modelOf("openai", { ...server, fetch: fetches.guarded });
  const error = {
    kind: "error",
    status: 429,
    code: "insufficient_quota",
    message: "You exceeded your quota.",
  } as const;
  const attempt = await askOnce(server, error, { model });
  expect(attempt).toMatchObject({ result: { error: { message: expect.stringContaining("no credit left") } } });
  expect(attempt).not.toHaveProperty("retry");
});

test("no request is made once the worker has stopped", async () => {
  const aborted = createNotice();
  aborted.give();
  const before = server.requests.length;
  const model = modelOf("openai", { ...server, fetch: fetches.guarded });
  expect(await askModel(ports, { model }, requestOf({ aborted }))).toMatchObject({
    result: { status: "error" },
    retry: {},
  });
  expect(server.requests).toHaveLength(before);
});

describe("through the guarded client", () => {
  const through = (fetch: ReturnType<typeof guardedFetch>) => modelOf("compatible", { ...server, fetch });

  test("a private address is permanently refused unless its network is allowed", async () => {
    const model = through(guardedFetch(createEgress()));
    const attempt = await askModel(ports, { model }, requestOf());
    expect(attempt).toMatchObject({
      result: { error: { message: expect.stringContaining("PROCEDO_ALLOW_NETWORKS") } },
      cost: "nothing",
    });
    expect(attempt).not.toHaveProperty("retry");
  });

  test("a redirect is a permanent failure and not followed", async () => {
    const answer = { kind: "error", status: 302, headers: { location: "/v1/elsewhere" }, body: "" } as const;
    const attempt = await askOnce(server, answer, { model: through(fetches.guarded) });
    expect(attempt).toMatchObject({
      result: { error: { message: expect.stringContaining("Redirects are not followed") } },
    });
    expect(attempt).not.toHaveProperty("retry");
  });

  test.each([false, true])(
    "an answer beyond the client's limit is a permanent failure (streaming %s)",
    async (streaming) => {
      const egress = createEgress({ allowNetworks: ["127.0.0.0/8"] });
      const model = through(guardedFetch(egress, { maxResponseBytes: 1_000 }));
      const attempt = await askOnce(server, { kind: "reply", text: "x".repeat(2_000) }, { model, streaming });
      expect(attempt).toMatchObject({
        result: { error: { message: expect.stringContaining("is longer than 1000 bytes"), code: "limit" } },
      });
      expect(attempt).not.toHaveProperty("retry");
      await egress.close();
    },
  );

  test("an unreachable service is asked again", async () => {
    const away = await startModelServer();
    await away.close();
    const model = modelOf("anthropic", { ...away, fetch: fetches.guarded });
    expect(await askModel(ports, { model }, requestOf())).toMatchObject({
      result: { error: { message: expect.stringContaining("could not be opened") } },
      retry: {},
      cost: "nothing",
    });
  });
});
