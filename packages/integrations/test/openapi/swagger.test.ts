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

  it("has the members of its body as inputs, required ones required, although the body is not marked so", () => {
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

  it("takes what it consumes from the operation, else from the document", () => {
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

  it("answers with the schema of its first 2xx, if it produces JSON", () => {
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
    ["a body without a schema", [{ name: "a", in: "body" }], "/0"],
    ["a parameter without a type", [{ name: "a", in: "query" }], "/0"],
    ["a form member without a type", [{ name: "a", in: "formData" }], "/0"],
    ["an unknown type", [{ name: "a", in: "query", type: "strng" }], "/0/type"],
    [
      "an unknown format of lists",
      [{ name: "a", in: "query", type: "array", items: { type: "string" }, collectionFormat: "commas" }],
      "/0/collectionFormat",
    ],
    ["a place of OpenAPI 3.0", [{ name: "a", in: "cookie", type: "string" }], "/0/in"],
    ["a text for required", [{ name: "a", in: "body", schema: {}, required: "yes" }], "/0/required"],
    ["a form member with a text for required", [field("a", { required: "yes" })], "/0/required"],
  ])("is refused for %s", (_, parameters, at) => {
    expect(errorsOf(withParameters(parameters))).toContain(`/paths/~1x/post/parameters${at}`);
  });

  it("reports security definitions that no connection can meet", () => {
    const securityDefinitions = {
      basic: { type: "basic" },
      key: { type: "apiKey", in: "header", name: "X-Key" },
      login: { type: "oauth2", flow: "implicit" },
    };
    expect(problemsOf(withParameters([], {}, { securityDefinitions }))).toMatchObject([
      { severity: "warning", pointer: "/securityDefinitions/login" },
    ]);
  });

  it("has the base URL of schemes, host and basePath", () => {
    expect(imported(withParameters([])).baseUrl).toBe("https://api.example.com/v1");
  });
});
