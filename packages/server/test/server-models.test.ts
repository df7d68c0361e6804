import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { startModelServer, type ModelServer } from "@procedo-testing/model-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createServerModels } from "../src/server-models.ts";
import { readSettings } from "../src/settings/settings.ts";

/* Configured models over real HTTP: their addresses, their keys, and forbidden addresses. */

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const loopback = { PROCEDO_ALLOW_NETWORKS: "127.0.0.0/8" };
const prompt = { prompt: [{ role: "user" as const, content: [{ type: "text" as const, text: "Hello." }] }] };

function opened(env: Record<string, string>) {
  const { models, close } = createServerModels(readSettings({ ...loopback, ...env }));
  return { models, close, model: models.arguments?.model };
}

test.each([
  ["openai:gpt-5", "OPENAI_API_KEY", "openai.chat", "/v1/chat/completions"],
  ["anthropic:claude-sonnet-4-5", "ANTHROPIC_API_KEY", "anthropic.messages", "/v1/messages"],
  ["compatible:qwen3", "PROCEDO_MODEL_API_KEY", "compatible.chat", "/v1/chat/completions"],
])("%s is called with its key, with and without streaming", async (named, keyVariable, provider, path) => {
  const { model, close } = opened({ PROCEDO_MODEL: named, [keyVariable]: server.key, PROCEDO_MODEL_URL: server.url });
  expect(model).toMatchObject({ provider, modelId: named.split(":")[1], specificationVersion: "v4" });
  server.script({ kind: "reply", text: "whole" }, { kind: "reply", text: "streamed" });
  expect(await model?.doGenerate(prompt)).toMatchObject({ content: [{ type: "text", text: "whole" }] });
  const parts: unknown[] = [];
  const { stream } = (await model?.doStream(prompt)) ?? {};
  for await (const part of stream ?? []) parts.push(part);
  // Streams report tokens as well, because budgets depend on them.
  expect(parts.at(-1)).toMatchObject({ type: "finish", usage: { inputTokens: { total: 100 } } });
  expect(server.requests.slice(-2)).toMatchObject([{ path }, { path, streaming: true }]);
  await close();
});

test("a service without keys is called without one", async () => {
  const local = await startModelServer({ key: undefined });
  const { model, close } = opened({ PROCEDO_MODEL: "compatible:qwen3", PROCEDO_MODEL_URL: local.url });
  local.script({ kind: "reply", text: "local" });
  expect(await model?.doGenerate(prompt)).toMatchObject({ content: [{ type: "text", text: "local" }] });
  expect(local.requests[0]?.headers.authorization).toBeUndefined();
  await close();
  await local.close();
});

describe("beside a compatible service", () => {
  test.each([
    ["anthropic:claude-x", "ANTHROPIC_API_KEY", "https://api.anthropic.com", "/v1/messages", "x-api-key", ""],
    ["openai:gpt-5", "OPENAI_API_KEY", "https://api.openai.com", "/v1/chat/completions", "authorization", "Bearer "],
  ])("%s is called at its own address with its own key, and so is the service", async (...given) => {
    const [named, keyVariable, host, path, keyHeader, scheme] = given;
    const local = await startModelServer({ key: "sk-local" });
    const sent: string[] = [];
    const env = {
      ...{ PROCEDO_MODEL: "compatible:qwen3", PROCEDO_MODEL_URL: local.url, PROCEDO_MODEL_API_KEY: "sk-local" },
      ...{ PROCEDO_MODEL_FOR: `vendor-payment=${named}`, [keyVariable]: server.key },
    };
    // The local server replaces the provider's host; other addresses are unchanged.
    const { models, close } = createServerModels(readSettings({ ...loopback, ...env }), async (input, init) => {
      const address = new Request(input).url;
      sent.push(address);
      return await fetch(address.replace(`${host}/v1`, server.url), init);
    });
    const own = models.procedures?.["vendor-payment"];
    const before = server.requests.length;
    for (const model of [models.arguments, own?.arguments, models.questions, own?.questions]) {
      const [asked, text] = model === own?.arguments || model === own?.questions ? [server, "own"] : [local, "local"];
      asked.script({ kind: "reply", text });
      expect(await model?.model.doGenerate(prompt)).toMatchObject({ content: [{ type: "text", text }] });
    }
    const ownAddress = `${host}${path}`;
    const localAddress = `${local.url}/chat/completions`;
    expect(sent).toEqual([localAddress, ownAddress, localAddress, ownAddress]);
    const atOwn = server.requests.slice(before);
    expect(atOwn.map(({ headers }) => headers[keyHeader])).toEqual(Array(2).fill(`${scheme}${server.key}`));
    expect(local.requests.map(({ headers }) => headers.authorization)).toEqual(Array(2).fill("Bearer sk-local"));
    expect(JSON.stringify(local.requests.map(({ headers }) => headers))).not.toContain(server.key);
    expect(JSON.stringify(atOwn.map(({ headers }) => headers))).not.toContain("sk-local");
    await close();
    await local.close();
  });
});

test("each procedure and purpose has its configured model, and that model's key among its secrets", () => {
  const { models } = opened({
    OPENAI_API_KEY: "sk-openai",
    ANTHROPIC_API_KEY: "sk-ant",
    PROCEDO_MODEL: "openai:large",
    PROCEDO_MODEL_QUESTIONS: "openai:small",
    // An entry for one purpose overrides one for both, even when it comes first.
    PROCEDO_MODEL_FOR: "pay/questions=openai:own-small,pay=anthropic:own,other/arguments=openai:other",
    PROCEDO_MODEL_STREAMING: "on",
    PROCEDO_MODEL_MAX_OUTPUT_TOKENS: "9000",
    PROCEDO_MODEL_TIMEOUT_MS: "5000",
    PROCEDO_MODEL_TOOL_CHOICE: "anthropic:own=auto",
  });
  const given = { streaming: true, maxOutputTokens: 9_000, timeoutMs: 5_000 };
  const asked = (modelId: string, secret: string) => ({
    ...given,
    toolChoice: "required",
    model: { modelId },
    secrets: [secret],
  });
  expect(models).toMatchObject({
    arguments: asked("large", "sk-openai"),
    questions: asked("small", "sk-openai"),
    procedures: {
      pay: { arguments: { ...asked("own", "sk-ant"), toolChoice: "auto" }, questions: asked("own-small", "sk-openai") },
      other: { arguments: asked("other", "sk-openai") },
    },
  });
  expect(models.procedures?.["other"]).not.toHaveProperty("questions");
});

test("without settings there are no models", () => {
  expect(opened({}).models).toEqual({ procedures: {} });
});

test("a private address is refused unless its network is allowed", async () => {
  const env = {
    PROCEDO_MODEL: "compatible:qwen3",
    PROCEDO_MODEL_URL: server.url,
    PROCEDO_ALLOW_NETWORKS: "10.0.0.0/8",
  };
  const before = server.requests.length;
  const { model, close } = opened(env);
  await expect(model?.doGenerate(prompt)).rejects.toThrow("PROCEDO_ALLOW_NETWORKS");
  expect(server.requests).toHaveLength(before);
  await close();
});

test("a redirect forwards neither the prompt nor the key", async () => {
  const elsewhere: string[] = [];
  const other = createServer((request, response) => {
    elsewhere.push(request.url ?? "");
    response.end();
  }).listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const headers = { location: `http://127.0.0.1:${port}/v1/messages` };
  server.script({ kind: "error", status: 307, headers, body: "" });
  const env = { PROCEDO_MODEL: "anthropic:claude-x", ANTHROPIC_API_KEY: server.key, PROCEDO_MODEL_URL: server.url };
  const { model, close } = opened(env);
  await expect(model?.doGenerate(prompt)).rejects.toMatchObject({ statusCode: 307 });
  expect(elsewhere).toEqual([]);
  await close();
  other.close();
});

test("an answer above 32 MiB is aborted", async () => {
  const huge = { kind: "broken", body: "x".repeat(32 * 1024 * 1024 + 1) } as const;
  server.script(huge);
  const { model, close } = opened({
    PROCEDO_MODEL: "openai:gpt-5",
    OPENAI_API_KEY: server.key,
    PROCEDO_MODEL_URL: server.url,
  });
  await expect(model?.doGenerate(prompt)).rejects.toThrow("longer than 33554432 bytes");
  await close();
});
