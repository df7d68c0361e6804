import { startModelServer, type ModelAnswer, type ModelServer } from "@procedo-testing/model-server";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { askModel, type ModelPorts } from "../src/models/ask-model.ts";
import { fetches, modelOf, ports as basePorts, providers, requestOf } from "./model-harness.ts";

/* Models that do not support a forced tool call: asked again without force, at once, and never forced again. */

let thinking: ModelServer;
let server: ModelServer;
beforeAll(async () => {
  thinking = await startModelServer({ thinks: true });
  server = await startModelServer();
});
afterAll(() => Promise.all([thinking.close(), server.close()]));

let ports: ModelPorts;
beforeEach(() => {
  ports = { ...basePorts, unforced: new WeakSet() };
});

const call = { input: { vendorId: "ven_1", amount: 500 } };
const replies = { kind: "reply", toolCalls: [call] } as const;

/** The tool choice of each request since then. */
function toolChoices({ requests }: ModelServer, since: number): readonly unknown[] {
  return requests.slice(since).map(({ body }) => {
    const choice = body["tool_choice"];
    return typeof choice === "object" && choice !== null && "type" in choice ? choice.type : choice;
  });
}

describe.each(providers.flatMap((provider) => [false, true].map((streaming) => [provider, streaming] as const)))(
  "%s, streaming %s",
  (provider, streaming) => {
    const forced = provider === "anthropic" ? "any" : "required";

    test("a model with reasoning is asked again at once without force, and never forced again", async () => {
      const model = modelOf(provider, { ...thinking, fetch: fetches.guarded });
      const since = thinking.requests.length;
      for (let turn = 0; turn < 3; turn++) {
        thinking.script({ ...replies, thinking: "I pay." });
        expect(await askModel(ports, { model, streaming }, requestOf())).toMatchObject({
          result: { status: "ok", reply: { providerMetadata: { procedo: { toolChoice: "auto" } } } },
        });
      }
      expect(toolChoices(thinking, since)).toEqual([forced, "auto", "auto", "auto"]);
    });

    test("another model of the service, and one without a refusal, are forced as before", async () => {
      const model = modelOf(provider, { ...server, fetch: fetches.guarded });
      const other = modelOf(provider, { ...thinking, fetch: fetches.guarded });
      thinking.script(replies);
      await askModel(ports, { model: other, streaming }, requestOf());
      const since = server.requests.length;
      server.script(replies, replies);
      const { result } = await askModel(ports, { model, streaming }, requestOf());
      await askModel(ports, { model, streaming }, requestOf());
      expect(toolChoices(server, since)).toEqual([forced, forced]);
      expect(JSON.stringify(result)).not.toContain("toolChoice");
    });

    test("a model that is configured to choose is never forced", async () => {
      const model = modelOf(provider, { ...thinking, fetch: fetches.guarded });
      const since = thinking.requests.length;
      thinking.script(replies);
      expect(await askModel(ports, { model, streaming, toolChoice: "auto" }, requestOf())).toMatchObject({
        result: { status: "ok", reply: { providerMetadata: { procedo: { toolChoice: "auto" } } } },
      });
      expect(toolChoices(thinking, since)).toEqual(["auto"]);
    });

    test("an error without force is the attempt's, states how the model was asked, and changes nothing", async () => {
      const model = modelOf(provider, { ...thinking, fetch: fetches.guarded });
      const since = thinking.requests.length;
      thinking.script({ kind: "error", status: 503, message: "Overloaded." }, replies);
      expect(await askModel(ports, { model, streaming }, requestOf())).toMatchObject({
        result: { status: "error", error: { details: { status: 503, toolChoice: "auto" } } },
        retry: {},
      });
      await askModel(ports, { model, streaming }, requestOf());
      expect(toolChoices(thinking, since)).toEqual([forced, "auto", forced, "auto"]);
    });
  },
);

const refusals: readonly (readonly [string, number, string])[] = [
  ["Anthropic", 400, "Thinking may not be enabled when tool_choice forces tool use."],
  ["DeepSeek", 400, "Thinking mode does not support this tool_choice"],
  ["DeepSeek's reasoner", 400, "deepseek-reasoner does not support this tool_choice"],
  [
    "Qwen",
    400,
    "<400> InternalError.Algo.InvalidParameter: The tool_choice parameter does not support being set to required or object in thinking mode",
  ],
  ["Moonshot", 400, "tool_choice 'required' is incompatible with thinking enabled"],
  ["OpenRouter", 404, "No endpoints found that support the provided 'tool_choice' value."],
  ["vLLM", 400, '`tool_choice` must either be a named tool, "auto", or "none".'],
  ["Bedrock", 400, "This model doesn't support the toolConfig.toolChoice.any field. Remove it and try again."],
  ["Gemini", 400, "Forced function calling (mode = ANY) is only supported for Gemini 1.5 Pro models."],
  ["Vertex", 400, "Unable to submit request: function_calling_config.mode ANY is not supported by this model."],
  ["Groq", 400, "Tool choice is required, but model did not call a tool"],
  ["a validating gateway", 422, "Value error at body.tool_choice: unsupported"],
  ["a gateway that wraps its errors", 500, "upstream: tool_choice=required is not supported"],
];

test.each(refusals)("the refusal of %s is followed by a request without force", async (_whose, status, message) => {
  const model = modelOf("compatible", { ...server, fetch: fetches.guarded });
  const since = server.requests.length;
  server.script({ kind: "error", status, message }, replies);
  const { result } = await askModel(ports, { model }, requestOf());
  expect([result.status, toolChoices(server, since)]).toEqual(["ok", ["required", "auto"]]);
});

test("a refusal in a gateway's 200 is followed by a request without force", async () => {
  const model = modelOf("compatible", { ...server, fetch: fetches.guarded });
  const since = server.requests.length;
  const error = { message: "No endpoints found that support the provided 'tool_choice' value.", code: 404 };
  server.script({ kind: "broken", body: JSON.stringify({ error }) }, replies);
  const { result } = await askModel(ports, { model }, requestOf());
  expect([result.status, toolChoices(server, since)]).toEqual(["ok", ["required", "auto"]]);
});

const others: readonly (readonly [string, ModelAnswer])[] = [
  ["another 400", { kind: "error", status: 400, message: "Unsupported parameter: 'max_tokens'." }],
  ["a wrong key", { kind: "error", status: 401, message: "The key may not use tool_choice." }],
  ["a rate limit", { kind: "error", status: 429, message: "Too many requests with tool_choice." }],
  ["an overload", { kind: "error", status: 503, message: "Overloaded." }],
  ["an invalid answer", { kind: "broken", body: '{"tool_choice":"required"}' }],
];

test.each(others)("%s is no such refusal: the model is asked once", async (_what, answer) => {
  const model = modelOf("compatible", { ...server, fetch: fetches.guarded });
  const since = server.requests.length;
  server.script(answer);
  const { result } = await askModel(ports, { model }, requestOf());
  expect([result.status, toolChoices(server, since)]).toEqual(["error", ["required"]]);
});

test("a service that names the parameter in every refusal is reported with its last refusal, and is forced again", async () => {
  const model = modelOf("compatible", { ...server, fetch: fetches.guarded });
  const since = server.requests.length;
  const echo = (why: string): ModelAnswer => ({ kind: "error", status: 422, message: `${why} in {"tool_choice": …}` });
  server.script(echo("first"), echo("second"), echo("third"), echo("fourth"));
  expect(await askModel(ports, { model }, requestOf())).toMatchObject({
    result: { status: "error", error: { message: expect.stringContaining("second") } },
  });
  await askModel(ports, { model }, requestOf());
  expect(toolChoices(server, since)).toEqual(["required", "auto", "required", "auto"]);
});

test("a turn with an optional call is not forced, and records nothing about it", async () => {
  const model = modelOf("openai", { ...thinking, fetch: fetches.guarded });
  const since = thinking.requests.length;
  thinking.script({ kind: "reply", text: "Done." });
  const { result } = await askModel(ports, { model }, requestOf({ toolChoice: "auto" }));
  expect([toolChoices(thinking, since), JSON.stringify(result).includes("toolChoice")]).toEqual([["auto"], false]);
});
