import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { CreatedApiKey } from "@procedo/contract";
import { startModelServer, type ModelServer } from "@procedo-testing/model-server";
import { payment } from "./bank.ts";
import {
  call,
  fileWith,
  makePlace,
  procedo,
  procedoJson,
  startProcess,
  type Place,
  type ServerProcess,
} from "./server-process.ts";

/* A service with a model in its settings: from the environment to the payment, without exposing a key. */

let models: ModelServer;
let place: Place;
let server: ServerProcess;

beforeEach(async () => {
  models = await startModelServer();
});

afterEach(async () => {
  server.kill("SIGKILL");
  await server.ended;
  place.remove();
  await models.close();
});

const document = {
  ...payment,
  nodes: payment.nodes.map((node) =>
    node.id === "pay"
      ? { id: "pay", kind: "tool_call", connection: "bank", action: "pay", instructions: "Pay what the input says." }
      : node,
  ),
};

async function publish(): Promise<{ readonly code: number; readonly err: string }> {
  return await procedo(place, "procedures", "publish", fileWith(place, "payment.json", document), "--version", "1");
}

test.each(["openai:gpt-4.1", "anthropic:claude-sonnet-4-5", "compatible:qwen3"])(
  "an agent of a service pays by %s, and its key is nowhere",
  async (named) => {
    const { url, key } = models;
    const scrape = "0123456789abcdef";
    const keys = { OPENAI_API_KEY: key, ANTHROPIC_API_KEY: key, PROCEDO_MODEL_API_KEY: key };
    place = makePlace({
      PROCEDO_MODEL: named,
      PROCEDO_MODEL_URL: url,
      PROCEDO_MODEL_STREAMING: "on",
      ...keys,
      PROCEDO_METRICS_TOKEN: scrape,
    });
    server = await startProcess(place);
    expect(await publish()).toMatchObject({ code: 0 });
    const create = ["keys", "create", "--name", "test", "--environment", "sandbox"];
    const { key: apiKey } = await procedoJson<CreatedApiKey>(place, ...create);
    models.script(
      { kind: "error", status: 503, message: `${key} is not served at the moment.`, headers: { "retry-after": "1" } },
      { kind: "reply", text: `I was asked with ${key}.`, toolCalls: [{ input: { sum: 1_250 } }] },
    );
    const sync = { data: { sum: 1_250 }, control: { executionMode: "sync" } };
    const answer = await call(`${server.url}/v1/procedures/payment/sandbox`, apiKey, sync);
    expect(answer).toMatchObject({ status: 200, body: { output: { receipt: "Paid 1250 cents." } } });
    expect(models.requests).toHaveLength(2);

    const { runId } = answer.body as { readonly runId: string };
    const { out } = await procedo(place, "runs", "show", runId, "--environment", "sandbox", "--json");
    expect(out).toContain("[redacted]");
    const authorization = `Bearer ${scrape}`;
    const metrics = await (await fetch(`${server.url}/metrics`, { headers: { authorization } })).text();
    expect(metrics).toContain('procedo_model_tokens_total{procedure="payment",direction="input"} 100');
    server.kill("SIGTERM");
    expect(await server.ended).toBe(0);
    const data = readFileSync(`${place.env["PROCEDO_DATA_DIR"]}/procedo.sqlite`, "latin1");
    for (const said of [out, metrics, server.output(), data]) expect(said).not.toContain(key);
  },
);

test("without a model, a procedure with an agent is rejected with the node's name, and others are published", async () => {
  place = makePlace();
  server = await startProcess(place);
  expect(await publish()).toMatchObject({ code: 1, err: expect.stringMatching(/pay.*model/s) });
  const plain = fileWith(place, "plain.json", payment);
  expect(await procedo(place, "procedures", "publish", plain, "--version", "1")).toMatchObject({ code: 0 });
});
