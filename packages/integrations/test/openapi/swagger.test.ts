import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "@procedo/contract";
import { answers, errorsOf, imported, onlyOperation, problemsOf, swagger, takes } from "./documents.ts";

const withParameters = (parameters: JsonValue, more: JsonObject = {}, root: JsonObject = {}): string =>
  swagger({ "/x": { post: { operationId: "create", parameters, responses: answers, ...more } } }, root);
const field = (name: string, more: JsonObject = {}): JsonObject => ({ name, in: "formData", type: "string", ...more });

describe("a Swagger 2.0 operation", () => {
  it("has parameters with their types beside their names", () => {
    const operation = onlyOperation(
      withParameters([
        {
          name: "limit",
          in: "query",
          type: "integer",
          format: "int32",
          minimum: 1,
          exclusiveMinimum: true,
          default: 10,
        },
        {
          name: "ids",
          in: "query",
          type: "array",
          items: { type: "string" },
          collectionFormat: "pipes",
          required: true,
        },
        { name: "X-Mode", in: "header", type: "string", enum: ["a", "b"] },
      ]),
    );
    expect(operation.inputs.map(({ input, required }) => [input, required])).toEqual([
      ["limit", false],
      ["ids", true],
      ["X-Mode", false],
    ]);
    expect(operation.inputs[1]).toMatchObject({ encoding: { style: "pipeDelimited", explode: false } });
    expect(takes(operation, { ids: ["a"], limit: 2, "X-Mode": "b" })).toBe(true);
    expect(takes(operation, { ids: ["a"], limit: 1 })).toBe(false);
    expect(takes(operation, { ids: ["a"], limit: 2.5 })).toBe(false);
    expect(takes(operation, { limit: 2 })).toBe(false);
  });

  it("has the members of its body as inputs and keeps required ones, although the body is optional", () => {
    const definitions = {
      Payment: {
        type: "object",
        required: ["amount"],
        properties: { amount: { type: "integer" }, memo: { type: "string", "x-nullable": true } },
      },
    };
    const text = withParameters(
      [{ name: "payment", in: "body", schema: { $ref: "#/definitions/Payment" } }],
      {},
      { definitions },
    );
    const operation = onlyOperation(text);
    expect(operation.body).toMatchObject({ mediaType: "application/json", shape: "members", required: false });
    expect(takes(operation, { amount: 1, memo: null })).toBe(true);
    expect(takes(operation, { memo: "a" })).toBe(false);
  });

  it("sends form parameters as a form, and as multipart when there is a file", () => {
    const form = onlyOperation(
      withParameters([
        field("a", { required: true }),
        field("ids", { type: "array", items: { type: "string" } }),
        field("all", { type: "array", items: { type: "string" }, collectionFormat: "multi" }),
      ]),
    );
    expect(form.body).toMatchObject({
      mediaType: "application/x-www-form-urlencoded",
      required: true,
      parts: {
        ids: { encoding: { style: "form", explode: false } },
        all: { encoding: { style: "form", explode: true } },
      },
    });
    const upload = onlyOperation(
      withParameters([field("a"), field("scan", { type: "file", description: "The scan." })]),
    );
    expect(upload.body).toMatchObject({ mediaType: "multipart/form-data", parts: { scan: { binary: true } } });
    expect(takes(upload, { scan: { base64: "AA==" } })).toBe(true);
    const only = onlyOperation(withParameters([field("a")], { consumes: ["multipart/form-data"] }));
    expect(only.body?.mediaType).toBe("multipart/form-data");
  });

  it("reads `consumes` from the operation, otherwise from the document", () => {
    const body: JsonObject = {
      name: "b",
      in: "body",
      schema: { type: "object", properties: { a: { type: "string" } } },
    };
    const root = { consumes: ["application/xml", "application/vnd.acme+json"] };
    expect(onlyOperation(withParameters([body], {}, root)).body?.mediaType).toBe("application/vnd.acme+json");
    const own = { consumes: ["application/x-www-form-urlencoded"] };
    expect(onlyOperation(withParameters([body], own, root)).body?.mediaType).toBe("application/x-www-form-urlencoded");
  });

  it("has the schema of its first 2xx as output if it produces JSON", () => {
    const schema = { type: "object", properties: { id: { type: "string" } } };
    const responses = {
      "404": { description: "none", schema: { type: "string" } },
      "201": { description: "ok", schema },
    };
    expect(onlyOperation(withParameters([], { responses })).output).toMatchObject({
      properties: { id: { type: "string" } },
    });
    expect(onlyOperation(withParameters([], { responses, produces: ["text/csv"] })).output).toBeUndefined();
  });

  it.each<[string, JsonValue, string]>([
    [
      "two bodies",
      [
        { name: "a", in: "body", schema: {} },
        { name: "b", in: "body", schema: {} },
      ],
      "/1",
    ],
    ["a body and a form", [{ name: "a", in: "body", schema: {} }, field("b")], "/1"],
    [
      "an unknown format of a required list",
      [
        {
          name: "a",
          in: "query",
          required: true,
          type: "array",
          items: { type: "string" },
          collectionFormat: "commas",
        },
      ],
      "/0/collectionFormat",
    ],
    [
      "a required parameter of OpenAPI 3.0's place",
      [{ name: "a", in: "cookie", required: true, type: "string" }],
      "/0/in",
    ],
  ])("is refused for %s", (_, parameters, at) => {
    expect(errorsOf(withParameters(parameters))).toContain(`/paths/~1x/post/parameters${at}`);
  });

  it.each<[string, JsonValue, JsonObject]>([
    ["a body without a schema", [{ name: "a", in: "body" }], { body: [1] }],
    ["a body that is its own schema", [{ name: "a", in: "body", type: "string" }], { body: "x" }],
    ["a parameter without a type", [{ name: "a", in: "query" }], { a: 1 }],
    ["a parameter with a schema", [{ name: "a", in: "query", schema: { type: "integer" } }], { a: 1 }],
    ["a form member without a type", [{ name: "a", in: "formData" }], { a: 1 }],
    ["a form member's place in lower case", [{ name: "a", in: "formdata", type: "integer" }], { a: 1 }],
    ["an unknown type", [{ name: "a", in: "query", type: "strng" }], { a: 1 }],
    [
      "an unknown format of a value that is not a list",
      [{ name: "a", in: "query", type: "integer", collectionFormat: "commas" }],
      { a: 1 },
    ],
    ["a list of an unknown format", [{ name: "a", in: "query", type: "array", collectionFormat: "commas" }], {}],
    ["a place of OpenAPI 3.0", [{ name: "a", in: "cookie", type: "string" }], {}],
    ["a text for required", [{ name: "a", in: "body", schema: {}, required: "yes" }], { body: 1 }],
    ["a form member with a text for required", [field("a", { required: "true" })], { a: "x" }],
  ])("is imported with a warning for %s", (_, parameters, args) => {
    const text = withParameters(parameters);
    expect(errorsOf(text)).toEqual([]);
    expect(problemsOf(text)).toMatchObject([{ severity: "warning" }, ...problemsOf(text).slice(1)]);
    expect(takes(onlyOperation(text), args)).toBe(true);
  });

  it("reports security definitions that no connection supports", () => {
    const securityDefinitions = {
      basic: { type: "basic" },
      key: { type: "apiKey", in: "header", name: "X-Key" },
      login: { type: "oauth2", flow: "implicit" },
    };
    expect(problemsOf(withParameters([], {}, { securityDefinitions }))).toMatchObject([
      { severity: "warning", pointer: "/securityDefinitions/login" },
    ]);
  });

  it("builds the base URL from schemes, host and basePath", () => {
    expect(imported(withParameters([])).baseUrl).toBe("https://api.example.com/v1");
  });
});
