import type { JsonObject } from "@procedo/contract";
import type { ProbedExchange } from "@procedo/integrations/testing";
import { describe, expect, test } from "vitest";
import { slackProbe } from "../packages/integrations/src/services/slack/slack.probe.ts";
import { exchangesOf, readApiDocument } from "./documented-requests.ts";
import { isObject, listOf, objectOf, textOf } from "./documented-values.ts";
import { writtenFields } from "./written-fields.ts";

/*
 * Slack's document is of Swagger 2.0, and of 2021: it types all fields as texts, so that only their names tell. The token
 * is a header of every request, also where the document has it elsewhere.
 */

const document = readApiDocument("slack-web-openapi-v2.json");
const paths = objectOf(document["paths"]);

function undocumented({ request, sent }: ProbedExchange): readonly string[] {
  const [method = "", target = ""] = request.split(" ");
  const [path = "", query = ""] = target.split("?");
  const operation = objectOf(paths[path])[method.toLowerCase()];
  if (!isObject(operation)) return [`${request}: has no operation`];
  const parameters = listOf(operation["parameters"])
    .map(objectOf)
    .filter(({ name = "" }) => name !== "token");
  const given = Object.keys(isObject(sent) ? sent : writtenFields(query));
  const names = parameters.map(({ name = "" }) => textOf(name));
  const missing = parameters.filter(({ required, name = "" }) => required === true && !given.includes(textOf(name)));
  const types = listOf(operation["consumes"]);
  return [
    ...given.filter((name) => !names.includes(name)).map((name) => `${request}: ${name} is not in the document`),
    ...missing.map(({ name = "" }) => `${request}: ${textOf(name)} is required`),
    ...(sent !== undefined && !types.includes("application/json") ? [`${request}: takes no JSON`] : []),
  ];
}

test("each request of the Slack integration is an operation of Slack's document, with fields that it names", () => {
  const exchanges = exchangesOf(slackProbe("http://127.0.0.1"));
  expect(exchanges).toHaveLength(10);
  expect(exchanges.flatMap(undocumented)).toEqual([]);
});

describe("a request that deviates from the document is found:", () => {
  const post = (path: string, sent: JsonObject): ProbedExchange => ({ request: `POST ${path}`, sent, answer: {} });
  test.each<readonly [string, ProbedExchange]>([
    ["has no operation", post("/chat.send", {})],
    ["colour is not in the document", post("/chat.postMessage", { channel: "C1", colour: "red" })],
    ["channel is required", post("/chat.postMessage", { text: "Hello" })],
    ["takes no JSON", post("/users.setPhoto", {})],
    ["limits is not in the document", { request: "GET /conversations.list?limits=5", answer: {} }],
  ])("%s", (problem, exchange) => {
    expect(undocumented(exchange).join()).toContain(problem);
  });
});
