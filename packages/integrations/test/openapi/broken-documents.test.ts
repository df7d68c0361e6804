import { describe, expect, it } from "vitest";
import type { JsonObject } from "@procedo/contract";
import { importDocument } from "@procedo/integrations/openapi";
import { answers, errorsOf, imported, openApi, posting, problemsOf } from "./documents.ts";

const string: JsonObject = { type: "string" };

describe("a document with many faults", () => {
  const text = [
    "openapi: 3.0.3",
    "info: {title: [5], version: {major: 1}}",
    "servers: {url: https://api.example.com}",
    "paths:",
    "  orders: {get: {operationId: noSlash, responses: {}}}",
    "  /vendors:",
    "    get: {operationId: [42], parameters: limit, responses: {'200': {description: ok}}}",
    "    put:",
    "      parameters:",
    "        - {name: a, in: pathh, schema: {type: string}}",
    "        - {in: query, schema: {type: string}}",
    "        - {name: c, in: query, required: 'yes', schema: {type: boolean}}",
    "        - {name: d, in: query, schema: {type: strng}}",
    "        - {name: e, in: query}",
    "      requestBody: {content: application/json}",
    "      responses: []",
    "  /invoices: create",
    "  /bills: {post: null, fetch: {responses: {}}, trace: {responses: {}}}",
    "  /fine: {get: {operationId: fine, responses: {'200': {description: ok}}}}",
  ].join("\n");

  it("lists all of them with their places, in the document's order, with line and column", () => {
    const problems = problemsOf(text);
    expect(problems.map(({ severity, pointer, line }) => [severity, pointer, line])).toEqual([
      ["warning", "/info/title", 2],
      ["warning", "/info/version", 2],
      ["warning", "/servers", 3],
      ["error", "/paths/orders", 5],
      ["warning", "/paths/~1vendors/get/operationId", 7],
      ["error", "/paths/~1vendors/get/parameters", 7],
      ["warning", "/paths/~1vendors/put/parameters/0", 10],
      ["warning", "/paths/~1vendors/put/parameters/0/in", 10],
      ["warning", "/paths/~1vendors/put/parameters/1", 11],
      ["warning", "/paths/~1vendors/put/parameters/1", 11],
      ["warning", "/paths/~1vendors/put/parameters/2/required", 12],
      ["warning", "/paths/~1vendors/put/parameters/3/schema/type", 13],
      ["warning", "/paths/~1vendors/put/parameters/4", 14],
      ["error", "/paths/~1vendors/put/requestBody/content", 15],
      ["warning", "/paths/~1vendors/put/responses", 16],
      ["error", "/paths/~1invoices", 17],
      ["warning", "/paths/~1bills/post", 18],
      ["error", "/paths/~1bills/fetch", 18],
      ["error", "/paths/~1bills/trace", 18],
    ]);
    for (const { column } of problems) expect(column).toBeGreaterThan(0);
  });

  it("provides the operations without faults", () => {
    expect(imported(text).operations.map(({ name }) => name)).toEqual(["fine"]);
  });

  it("is refused when it has no valid operation, or none at all", () => {
    expect(importDocument(text.slice(0, text.indexOf("  /fine")))).toMatchObject({ ok: false });
    expect(importDocument(openApi({}))).toMatchObject({
      ok: false,
      problems: [{ pointer: "/paths", severity: "error" }],
    });
    expect(importDocument(openApi({ "x-note": {} }))).toMatchObject({ ok: false });
  });
});

describe("references", () => {
  const schemas: JsonObject = {
    Payment: {
      type: "object",
      properties: {
        amount: { $ref: "#/components/schemas/Money" },
        note: { $ref: "#/components/schemas/~2bad" },
        twice: { $ref: "#/definitions/OldStyle" },
      },
    },
  };

  it("without a target far below a response are reported at their places, once", () => {
    const answer = { content: { "application/json": { schema: { allOf: [{ $ref: "#/components/schemas/Tree" }] } } } };
    const Tree = {
      properties: {
        "a/b": { type: "array", items: { $ref: "#/components/schemas/Nope" } },
        next: { additionalProperties: { $ref: "#/components/schemas/Tree" } },
        example: { not: { $ref: "./elsewhere.json" } },
      },
      example: { $ref: "#/nothing" },
    };
    const responses = { "200": { description: "ok", ...answer } };
    const text = openApi({ "/x": { get: { responses }, put: { responses } } }, { components: { schemas: { Tree } } });
    const Described = {
      properties: {
        "a/b": { type: "array", items: {} },
        next: { additionalProperties: { $ref: "#/$defs/Tree" } },
        example: {},
      },
    };
    const output = { allOf: [{ $ref: "#/$defs/Tree" }], $defs: { Tree: Described } };
    expect(imported(text).operations.map((operation) => operation.output)).toEqual([output, output]);
    expect(
      problemsOf(text)
        .map(({ severity, pointer }) => `${severity} ${pointer}`)
        .toSorted(),
    ).toEqual([
      "warning /components/schemas/Tree/properties/a~1b/items/$ref",
      "warning /components/schemas/Tree/properties/example/not/$ref",
    ]);
  });

  it("without a target in a response are a warning, because requests do not depend on it", () => {
    const responses = {
      "200": { $ref: "#/components/responses/Nope" },
      "201": {
        description: "ok",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Payment" } } },
      },
    };
    const text = openApi({ "/x": { get: { operationId: "x", responses } } }, { components: { schemas } });
    const [operation] = imported(text).operations;
    expect(operation?.output).toEqual({ type: "object", properties: { amount: {}, note: {}, twice: {} } });
    expect(problemsOf(text).map(({ severity }) => severity)).toEqual(["warning", "warning", "warning", "warning"]);
  });

  it.each([
    "http://127.0.0.1:9/paths.yaml#/a",
    "https://refs.example.com/common.yaml",
    "./parameters.yaml#/Limit",
    "../../../etc/passwd",
    "file:///etc/passwd",
    "schemas.json#/Two",
    "//evil.example.com/x.json",
    'data:application/json,{"type":"string"}',
  ])("that leave the document are reported and not followed: %s", ($ref) => {
    const text = openApi({
      "/path": { $ref },
      "/operation": { get: { $ref } },
      "/parameter": { get: { parameters: [{ $ref }], responses: answers } },
      "/body": { post: { requestBody: { $ref }, responses: answers } },
      "/schema": posting({ type: "object", required: ["a"], properties: { a: { $ref } } }),
      "/fine": { get: { operationId: "fine", responses: answers } },
    });
    expect(imported(text).operations.map(({ name }) => name)).toEqual(["fine"]);
    expect(errorsOf(text)).toEqual([
      "/paths/~1path/$ref",
      "/paths/~1operation/get/$ref",
      "/paths/~1parameter/get/parameters/0/$ref",
      "/paths/~1body/post/requestBody/$ref",
      "/paths/~1schema/post/requestBody/content/application~1json/schema/properties/a/$ref",
    ]);
  });

  it("that leave the document are also reported where no action needs them, but not in examples", () => {
    const $ref = "https://refs.example.com/x.json";
    const responses = {
      "200": { description: "ok" },
      default: { description: "none", content: { "application/json": { schema: { $ref } } } },
    };
    const text = openApi(
      { "/x": { get: { operationId: "x", responses } } },
      { components: { schemas: { Unused: { $ref }, Example: { type: "object", example: { $ref } } } } },
    );
    expect(imported(text).operations).toHaveLength(1);
    expect(problemsOf(text).map(({ severity, pointer }) => [severity, pointer])).toEqual([
      ["warning", "/paths/~1x/get/responses/default/content/application~1json/schema/$ref"],
      ["warning", "/components/schemas/Unused/$ref"],
    ]);
  });

  it("of paths and operations are followed within the document", () => {
    const text = openApi({
      "/a": { get: { operationId: "a", responses: answers } },
      "/b": { $ref: "#/paths/~1a" },
      "/c": { post: { $ref: "#/paths/~1a/get" } },
    });
    expect(imported(text).operations.map(({ name, method, path }) => [name, method, path])).toEqual([
      ["a_get_a", "get", "/a"],
      ["a_get_b", "get", "/b"],
      ["a_post_c", "post", "/c"],
    ]);
  });

  it("in circles end, and are reported", () => {
    const text = openApi(
      {
        "/a": { $ref: "#/paths/~1b" },
        "/b": { $ref: "#/paths/~1a" },
        "/x": { get: { operationId: "x", parameters: [{ $ref: "#/components/parameters/A" }], responses: answers } },
      },
      {
        components: {
          parameters: { A: { $ref: "#/components/parameters/B" }, B: { $ref: "#/components/parameters/A" } },
        },
      },
    );
    expect(errorsOf(text)).toEqual(["/paths/~1a/$ref", "/paths/~1b/$ref", "/paths/~1x/get/parameters/0/$ref"]);
  });
});

describe("a document without a required part", () => {
  it("gets that problem together with all others", () => {
    const headless = { openapi: "3.0.3", paths: { "/x": { get: { operationId: 5, responses: answers } }, y: {} } };
    const problems = problemsOf(JSON.stringify(headless)).map(({ severity, pointer }) => `${severity} ${pointer}`);
    expect(problems).toEqual(["warning ", "warning ", "warning /paths/~1x/get/operationId", "error /paths/y"]);
    const wrong = { swagger: "2.0", info: [], paths: "x", schemes: 5 };
    expect(errorsOf(JSON.stringify(wrong))).toEqual(["/paths"]);
    expect(errorsOf(JSON.stringify({ openapi: "3.0.0" }))).toEqual(["/paths"]);
  });

  it.each(["missing", "null", "list"])("is imported without a title and a version when its info is %s", (info) => {
    const document = JSON.parse(openApi({ "/x": { get: { operationId: "x", responses: answers } } })) as JsonObject;
    const { info: _, ...others } = document;
    const given = info === "missing" ? others : { ...others, info: info === "null" ? null : [] };
    expect(imported(JSON.stringify(given))).toMatchObject({ title: "", version: "", operations: [{ name: "x" }] });
  });
});

describe("an operation", () => {
  const operation = (more: JsonObject) =>
    openApi({ "/x": { post: { operationId: "x", responses: answers, ...more } } });

  it("has its summary and description as plain text", () => {
    const [one] = imported(operation({ summary: "<b>Pay</b>", description: "{{7*7}} ${1+1}" })).operations;
    expect(one?.description).toBe("<b>Pay</b>\n\n{{7*7}} ${1+1}");
    const [same] = imported(operation({ summary: "Pay", description: "Pay" })).operations;
    expect(same?.description).toBe("Pay");
    const [long] = imported(operation({ description: "x".repeat(100_000) })).operations;
    expect(long?.description.length).toBeLessThan(11_000);
  });

  it("derives its effect from its method, and keeps its deprecation", () => {
    const methods = ["get", "head", "options", "put", "delete", "post", "patch"];
    const text = openApi({
      "/x": Object.fromEntries(
        methods.map((method) => [method, { operationId: method, deprecated: method === "put", responses: answers }]),
      ),
    });
    expect(imported(text).operations.map(({ name, effect, deprecated }) => [name, effect, deprecated])).toEqual([
      ["get", "read", false],
      ["head", "read", false],
      ["options", "read", false],
      ["put", "idempotent", true],
      ["delete", "idempotent", false],
      ["post", "once", false],
      ["patch", "once", false],
    ]);
  });

  it.each<[string, JsonObject]>([
    ["/summary", { summary: 5 }],
    ["/deprecated", { deprecated: "yes" }],
    ["/operationId", { operationId: ["x"] }],
    ["/requestBody", { requestBody: {} }],
    ["/requestBody", { requestBody: null }],
    [
      "/requestBody/content/application~1json/schema",
      { requestBody: { content: { "application/json": { schema: null } } } },
    ],
    ["/parameters", { parameters: null }],
    ["/responses", { responses: null }],
    ["/security", { security: null }],
    ["/responses", { responses: "none" }],
    ["/security", { security: {} }],
    ["/security/0", { security: ["key"] }],
    ["/security/0/unknown", { security: [{ unknown: [] }] }],
    ["/servers", { servers: [{ url: "http://localhost" }] }],
  ])("is imported with a warning for a fault in an optional part: %s", (at, more) => {
    expect(problemsOf(operation(more))).toMatchObject([{ severity: "warning", pointer: `/paths/~1x/post${at}` }]);
    expect(imported(operation(more)).operations).toHaveLength(1);
  });

  it.each<[string, JsonObject]>([
    ["/requestBody", { requestBody: "json" }],
    ["/requestBody/content", { requestBody: { content: [] } }],
    ["/requestBody/content/application~1json", { requestBody: { content: { "application/json": "x" } } }],
    [
      "",
      { requestBody: { content: { "application/json": { schema: { type: "object", properties: { "": string } } } } } },
    ],
  ])("is refused for a fault in a required part: %s of %j", (at, more) => {
    expect(errorsOf(operation(more))).toContain(`/paths/~1x/post${at}`);
    expect(importDocument(operation(more)).ok).toBe(false);
  });

  it("is named by a numeric operationId as text", () => {
    const text = operation({ operationId: 42 });
    expect(imported(text).operations.map(({ name }) => name)).toEqual(["42"]);
    expect(problemsOf(text)).toMatchObject([{ severity: "warning", pointer: "/paths/~1x/post/operationId" }]);
  });

  it("is found under a method in another case, with a warning", () => {
    const text = openApi({ "/x": { GET: { operationId: "x", responses: answers } } });
    expect(imported(text).operations).toMatchObject([{ name: "x", method: "get" }]);
    expect(problemsOf(text)).toMatchObject([{ severity: "warning", pointer: "/paths/~1x/GET" }]);
  });

  it("is not lost beside members of its path that are not operations", () => {
    const get = { operationId: "x", responses: answers };
    const text = openApi({ "/x": { get, post: null, tags: ["a"], fetch: get }, "/y": null });
    expect(imported(text).operations.map(({ name }) => name)).toEqual(["x"]);
    expect(problemsOf(text).map(({ severity, pointer }) => `${severity} ${pointer}`)).toEqual([
      "warning /paths/~1x/post",
      "warning /paths/~1x/tags",
      "error /paths/~1x/fetch",
      "warning /paths/~1y",
    ]);
  });

  it("accepts a body with any value when a media type is empty", () => {
    const [one] = imported(operation({ requestBody: { content: { "application/json": null } } })).operations;
    expect(one?.inputs).toMatchObject([{ input: "body", in: "body", name: "" }]);
  });

  it("has the schema of its first 2xx as output, in any order, unless it is not JSON", () => {
    const json = (type: string) => ({ description: "ok", content: { "application/json": { schema: { type } } } });
    const output = (responses: JsonObject) => imported(operation({ responses })).operations[0]?.output;
    expect(output({ "404": json("number"), "202": json("boolean"), "201": json("string") })).toEqual({
      type: "string",
    });
    expect(output({ "2XX": json("string"), default: json("number") })).toEqual({ type: "string" });
    expect(output({ default: json("number") })).toBeUndefined();
    expect(output({ "200": { description: "ok", content: { "text/csv": { schema: string } } } })).toBeUndefined();
    expect(output({ "204": { description: "none" } })).toBeUndefined();
  });
});
