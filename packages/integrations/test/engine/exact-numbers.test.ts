import type { JsonObject, ProcedureDocument } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { headerOf } from "../calls/recording-server.ts";
import { ledgerEngine, type LedgerEngine } from "./ledger-engine.ts";

const id = "9007199254740993";
const json = { "content-type": "application/json" };
const int64 = { type: "integer", format: "int64" };
const account = {
  type: "object",
  properties: { id: int64, balance: { type: "number" }, name: { type: "string" } },
};
const responses = { 200: { description: "It.", content: { "application/json": { schema: account } } } };
const body = (mediaType: string, schema: JsonObject) => ({ required: true, content: { [mediaType]: { schema } } });

/** A ledger with 64-bit ids. */
const spec = (origin: string) => ({
  openapi: "3.0.3",
  info: { title: "Ledger", version: "1" },
  servers: [{ url: origin }],
  paths: {
    "/accounts": { get: { operationId: "first", responses } },
    "/undescribed": { get: { operationId: "undescribed", responses: { 200: { description: "Not reported." } } } },
    "/accounts/{id}": {
      get: {
        operationId: "account",
        parameters: [
          { name: "id", in: "path", required: true, schema: int64 },
          { name: "after", in: "query", schema: int64 },
          { name: "ids", in: "query", explode: false, schema: { type: "array", items: int64 } },
          { name: "filter", in: "query", content: { "application/json": { schema: { properties: { id: int64 } } } } },
          { name: "X-Account", in: "header", schema: int64 },
        ],
        responses,
      },
    },
    "/payments": {
      post: {
        operationId: "pay",
        requestBody: body("application/json", {
          type: "object",
          required: ["from"],
          properties: {
            from: int64,
            amount: { type: "number", nullable: true, minimum: 1 },
            reference: { type: "string" },
            either: { oneOf: [{ type: "string" }, { type: "integer" }] },
            lines: {
              type: "array",
              items: { allOf: [{ $ref: "#/components/schemas/Line" }, { properties: { note: { type: "string" } } }] },
            },
            labels: { type: "object", additionalProperties: { type: "integer" } },
          },
        }),
        responses,
      },
    },
    "/batches": {
      post: { operationId: "batch", requestBody: body("application/json", { type: "array", items: int64 }), responses },
    },
    "/forms": {
      post: {
        operationId: "form",
        requestBody: body("application/x-www-form-urlencoded", {
          properties: { id: int64, deep: { type: "object", properties: { id: int64 } } },
        }),
        responses,
      },
    },
    "/parts": {
      post: {
        operationId: "parts",
        requestBody: body("multipart/form-data", {
          properties: { id: int64, deep: { type: "object", properties: { id: int64, text: { type: "string" } } } },
        }),
        responses,
      },
    },
  },
  components: { schemas: { Line: { type: "object", properties: { account: int64 } } } },
});

async function ledger(answer = `{"id":${id},"balance":${id}.25,"name":"A"}`): Promise<LedgerEngine> {
  const harness = await ledgerEngine();
  await harness.connect({
    spec: { text: JSON.stringify(spec(harness.server.origin)) },
    authentication: { method: "none" },
  });
  harness.server.answers = [{ headers: json, body: answer }];
  return harness;
}

/** Looks up an account and makes a call with the result. */
function document(action: string, args: JsonObject, given: JsonObject = {}): ProcedureDocument {
  const { first = "first", when = "true", input = { type: "object" } } = given as Record<string, never>;
  return {
    schemaVersion: 1,
    procedureId: "p",
    name: "P",
    input,
    nodes: [
      { id: "start", kind: "start" },
      { id: "found", kind: "tool_call", connection: "ledger", action: first, arguments: {} },
      { id: "rich", kind: "condition", branches: [{ name: "yes", when }], otherwise: "no" },
      { id: "it", kind: "tool_call", connection: "ledger", action, arguments: args },
      { id: "done", kind: "end", output: { said: "Account {{ nodes.found.output.id }}" } },
      { id: "poor", kind: "end" },
    ],
    edges: [
      { from: "start", to: "found" },
      { from: "found", to: "rich" },
      { from: "rich", to: "it", branch: "yes" },
      { from: "rich", to: "poor", branch: "no" },
      { from: "it", to: "done" },
    ],
  };
}

const found = "{{ nodes.found.output.id }}";

describe("a number beyond a double is sent unchanged", () => {
  test("in a path, a query, a list, JSON in a query and a header", async () => {
    const harness = await ledger();
    const args = { id: found, after: found, ids: [found, 1], filter: { id: found }, "X-Account": found };
    const run = await harness.run(document("account", args));
    expect(run).toMatchObject({ status: "completed", output: { said: `Account ${id}` } });
    const sent = harness.server.requests.at(-1);
    expect(sent?.target).toBe(`/accounts/${id}?after=${id}&ids=${id},1&filter=%7B%22id%22%3A${id}%7D`);
    expect(sent && headerOf(sent, "x-account")).toEqual([id]);
  });

  test("in a JSON body without quotes, at every depth, while texts keep their quotes", async () => {
    const harness = await ledger();
    const args = {
      from: found,
      amount: "{{ nodes.found.output.balance - 0.25 }}",
      reference: id,
      either: id,
      lines: [{ account: found, note: id }, { account: "9223372036854775807" }],
      labels: { a: id, b: 2 },
    };
    const run = await harness.run(document("pay", args));
    expect(run.status).toBe("completed");
    const text =
      `{"from":${id},"amount":${id},"reference":"${id}","either":"${id}",` +
      `"lines":[{"account":${id},"note":"${id}"},{"account":9223372036854775807}],"labels":{"a":${id},"b":2}}`;
    expect(harness.server.requests.at(-1)?.body.toString("utf8")).toBe(text);
    expect(run.steps.find(({ nodeId }) => nodeId === "it")?.attempts[0]?.exchange?.request.body).toBe(text);
  });

  test("in a list that is the whole body", async () => {
    const harness = await ledger();
    expect((await harness.run(document("batch", { body: [found, 7] }))).status).toBe("completed");
    expect(harness.server.requests.at(-1)?.body.toString("utf8")).toBe(`[${id},7]`);
  });

  test("in forms and in the parts of a multipart body", async () => {
    const harness = await ledger();
    const args = { id: found, deep: { id: found } };
    expect((await harness.run(document("form", args))).status).toBe("completed");
    expect(harness.server.requests.at(-1)?.body.toString("utf8")).toBe(`id=${id}&deep%5Bid%5D=${id}`);
    expect((await harness.run(document("parts", { ...args, deep: { id: found, text: id } }))).status).toBe("completed");
    const sent = harness.server.requests.at(-1)?.body.toString("utf8");
    expect(sent).toContain(`name="id"\r\n\r\n${id}\r\n`);
    expect(sent).toContain(`\r\n\r\n{"id":${id},"text":"${id}"}\r\n`);
  });

  test("from the data of a run, with an exact check of its input schema", async () => {
    const harness = await ledger();
    const input = { type: "object", properties: { id: { ...int64, minimum: 9007199254740992 } } };
    const published = document("account", { id: "{{ input.id }}" }, { input, when: "input.id > 9007199254740991" });
    expect((await harness.run(published, { id })).status).toBe("completed");
    expect(harness.server.requests.at(-1)?.target).toBe(`/accounts/${id}`);
    for (const wrong of ["9223372036854775809", "42", "9007199254740993.5"]) {
      await expect(harness.run(published, { id: wrong })).rejects.toMatchObject({ code: "invalid_input" });
    }
  });

  test("from a constant of the procedure; an invalid one is rejected at publishing", async () => {
    const harness = await ledger();
    expect((await harness.run(document("account", { id }))).status).toBe("completed");
    expect(harness.server.requests.at(-1)?.target).toBe(`/accounts/${id}`);
    for (const wrong of ["9223372036854775809", "42", "007"]) {
      await expect(harness.run(document("account", { id: wrong }))).rejects.toMatchObject({ code: "invalid_document" });
    }
  });

  test("without an exponent when it is whole", async () => {
    const harness = await ledger('{"id":1,"balance":1000000000000000000000,"name":"A"}');
    const balance = "{{ nodes.found.output.balance }}";
    expect((await harness.run(document("pay", { from: 1, amount: balance }))).status).toBe("completed");
    expect(harness.server.requests.at(-1)?.body.toString("utf8")).toBe('{"from":1,"amount":1000000000000000000000}');
  });
});

describe("a condition on a number beyond a double", () => {
  test.each([
    ["nodes.found.output.balance > 100", "completed"],
    ['nodes.found.output.balance == decimal("9007199254740993.25")', "completed"],
    ["nodes.found.output.id + 2 > nodes.found.output.id", "completed"],
    ["nodes.found.output.id in [1, nodes.found.output.id]", "completed"],
  ])("is evaluated: %s", async (when) => {
    for (const first of ["first", "undescribed"]) {
      const harness = await ledger();
      const run = await harness.run(document("account", { id: found }, { first, when }));
      expect(run.output).toEqual({ said: `Account ${id}` });
    }
  });
});
