import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "@procedo/contract";
import { answers, errorsOf, imported, onlyOperation, openApi, posting, problemsOf, takes } from "./documents.ts";

const string: JsonObject = { type: "string" };
const query = (name: string, more: JsonObject = {}): JsonObject => ({ name, in: "query", schema: string, ...more });
const getting = (parameters: JsonValue, path = "/x", more: JsonObject = {}): string =>
  openApi({ [path]: { get: { operationId: "find", parameters, responses: answers } } }, more);
const at = (index: number, rest = "", path = "~1x"): string => `/paths/${path}/get/parameters/${index}${rest}`;

describe("a parameter", () => {
  it("becomes an input with its place, name, style and flags", () => {
    const list = { type: "array", items: string };
    const operation = onlyOperation(
      getting(
        [
          { name: "id", in: "path", required: true, style: "label", schema: string },
          query("b", { explode: false, schema: list, description: "Several.", deprecated: true }),
          query("c", { allowReserved: true, required: true }),
          { name: "X-List", in: "header", schema: list },
          { name: "sess", in: "cookie", schema: string },
          { name: "f", in: "query", content: { "application/json": { schema: { type: "object" } } } },
        ],
        "/x/{id}",
      ),
    );
    const style = (name: string, explode = false, allowReserved = false) => ({
      kind: "style",
      style: name,
      explode,
      allowReserved,
    });
    expect(operation.inputs).toEqual([
      { input: "id", in: "path", name: "id", required: true, encoding: style("label") },
      { input: "b", in: "query", name: "b", required: false, encoding: style("form") },
      { input: "c", in: "query", name: "c", required: true, encoding: style("form", true, true) },
      { input: "X-List", in: "header", name: "X-List", required: false, encoding: style("simple") },
      { input: "sess", in: "cookie", name: "sess", required: false, encoding: style("form", true) },
      {
        input: "f",
        in: "query",
        name: "f",
        required: false,
        encoding: { kind: "content", mediaType: "application/json" },
      },
    ]);
    expect(operation.input).toMatchObject({
      required: ["id", "c"],
      properties: { b: { type: "array", description: "Several.", deprecated: true } },
      additionalProperties: false,
    });
  });

  it("that every request already has is not an input, even when it is required", () => {
    const names = ["Content-Type", "Host", "content-length", "Proxy-Authorization"];
    const parameters = names.map((name) => ({ name, in: "header", required: true, schema: string }));
    const { operations, problems } = imported(getting([...parameters, query("page")]));
    expect(operations[0]?.inputs.map(({ input }) => input)).toEqual(["page"]);
    expect(operations[0]?.input).not.toHaveProperty("required");
    expect(problems).toMatchObject(names.map((_, index) => ({ severity: "warning", pointer: at(index) })));
  });

  it("of the path applies to all its operations, unless one redeclares it", () => {
    const text = openApi({
      "/x/{id}": {
        parameters: [
          { name: "id", in: "path", required: true, schema: string },
          query("page"),
          { name: "X-A", in: "header", schema: string },
        ],
        get: { operationId: "a", responses: answers },
        post: {
          operationId: "b",
          parameters: [
            query("page", { schema: { type: "integer" } }),
            { name: "x-a", in: "header", required: true, schema: string },
          ],
          responses: answers,
        },
      },
    });
    const [a, b] = imported(text).operations;
    expect(a?.inputs.map(({ input }) => input)).toEqual(["id", "page", "X-A"]);
    expect(b?.input).toMatchObject({ properties: { page: { type: "integer" } }, required: ["id", "x-a"] });
    expect(b?.inputs).toHaveLength(3);
  });

  it("with the same name in several places, or in the body, becomes several inputs, each sent to its own place", () => {
    const body = { type: "object", required: ["id"], properties: { id: string, id_path: string, free: string } };
    const operation = onlyOperation(
      openApi({
        "/x/{id}": posting(body, {
          parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }, query("id")],
        }),
      }),
    );
    expect(operation.inputs.map(({ input, in: place, name, required }) => [input, place, name, required])).toEqual([
      ["id_path_", "path", "id", true],
      ["id_query", "query", "id", false],
      ["id_body", "body", "id", true],
      ["id_path", "body", "id_path", false],
      ["free", "body", "free", false],
    ]);
    expect(takes(operation, { id_path_: 1, id_body: "b" })).toBe(true);
    expect(takes(operation, { id_path_: 1 })).toBe(false);
  });

  it("called `body` is distinguished from a body that is one value", () => {
    const operation = onlyOperation(
      openApi({ "/x": posting({ type: "array", items: string }, { parameters: [query("body")] }) }),
    );
    expect(operation.inputs.map(({ input, in: place, name }) => [input, place, name])).toEqual([
      ["body_query", "query", "body"],
      ["body_body", "body", ""],
    ]);
  });

  it("keeps the alternatives of a body whose members were renamed", () => {
    const alternative = (name: string) => ({
      type: "object",
      required: ["id", name],
      properties: { id: string, [name]: string },
    });
    const operation = onlyOperation(
      openApi({ "/x": posting({ oneOf: [alternative("card"), alternative("iban")] }, { parameters: [query("id")] }) }),
    );
    expect(takes(operation, { id_body: "a", card: "b" })).toBe(true);
    expect(takes(operation, { id_body: "a", id_query: "q", iban: "b" })).toBe(true);
    expect(takes(operation, { id_body: "a" })).toBe(false);
    expect(takes(operation, { id_query: "a", card: "b" })).toBe(false);
  });

  it("with a name that every object inherits is an input like any other", () => {
    const operation = onlyOperation(getting(["constructor", "toString", "hasOwnProperty"].map((name) => query(name))));
    expect(takes(operation, {})).toBe(true);
    expect(takes(operation, { constructor: "a", toString: "b" })).toBe(true);
    expect(takes(operation, { constructor: 1 })).toBe(false);
  });

  it.each(["Accept", "content-type", "AUTHORIZATION"])("for the header %s is omitted with a warning", (name) => {
    const text = getting([{ name, in: "header", required: true, schema: string }]);
    expect(onlyOperation(text).inputs).toEqual([]);
    expect(problemsOf(text)).toMatchObject([{ severity: "warning", pointer: at(0) }]);
  });

  it("of the path is always required", () => {
    const text = getting([{ name: "id", in: "path", schema: string }], "/x/{id}");
    expect(onlyOperation(text).inputs).toMatchObject([{ required: true }]);
    expect(problemsOf(text)).toMatchObject([{ severity: "warning", pointer: at(0, "", "~1x~1{id}") }]);
  });

  it("with two identical declarations counts once", () => {
    const text = getting([query("a"), query("a")]);
    expect(onlyOperation(text).inputs).toHaveLength(1);
    expect(problemsOf(text)).toMatchObject([{ severity: "warning", pointer: at(1) }]);
  });
});

describe("an operation is refused, with the fault at its place, when a parameter", () => {
  const required = (more: JsonObject): JsonObject => ({
    name: "a",
    in: "query",
    required: true,
    schema: string,
    ...more,
  });

  it.each<[string, JsonValue, string]>([
    ["list is a text", "limit", "/paths/~1x/get/parameters"],
    ["list is an object of parameters", { limit: query("limit") }, "/paths/~1x/get/parameters"],
    ["is a text", ["limit"], at(0)],
    ["is required and has no name", [{ in: "query", required: true, schema: string }], at(0)],
    ["is required and has an empty name", [required({ name: "" })], at(0, "/name")],
    ["is required and has a list for a name", [required({ name: [] })], at(0, "/name")],
    ["is required and called __proto__", [required({ name: "__proto__" })], at(0, "/name")],
    ["is required and has no place", [{ name: "a", required: true, schema: string }], at(0)],
    ["is required and has an unknown place", [required({ in: "querry" })], at(0, "/in")],
    ["is required and has a place of Swagger 2.0", [required({ in: "formData", required: "true" })], at(0, "/in")],
    [
      "is required and has content without a media type",
      [{ name: "a", in: "query", required: true, content: {} }],
      at(0, "/content"),
    ],
    [
      "is required and has invalid content",
      [{ name: "a", in: "query", required: true, content: "json" }],
      at(0, "/content"),
    ],
    [
      "is a required list of another place's style",
      [required({ style: "matrix", schema: { type: "array" } })],
      at(0, "/style"),
    ],
    ["is required and no header", [required({ name: "X A:", in: "header" })], at(0, "/name")],
    [
      "is required and has a dynamic reference",
      [required({ schema: { $dynamicRef: "#node" } })],
      at(0, "/schema/$dynamicRef"),
    ],
    ["refers to nothing", [{ $ref: "#/components/parameters/Missing" }], at(0, "/$ref")],
    ["refers to what every object inherits", [{ $ref: "#/components/parameters/hasOwnProperty" }], at(0, "/$ref")],
    ["refers to the outside", [{ $ref: "https://refs.example.com/p.yaml#/Page" }], at(0, "/$ref")],
    ["refers to a file", [{ $ref: "../../../etc/passwd" }], at(0, "/$ref")],
    ["refers to a list", [{ $ref: "#/servers" }], at(0, "/$ref")],
  ])("%s", (_, parameters, pointer) => {
    const text = getting(parameters, "/x", { components: { parameters: {} } });
    expect(errorsOf(text)).toContain(pointer);
    expect(
      imported(
        getting(parameters, "/x", { components: { parameters: {} } }).replace(
          '"paths":{',
          '"paths":{"/ok":{"get":{"operationId":"ok","responses":{}}},',
        ),
      ).operations.map(({ name }) => name),
    ).toEqual(["ok"]);
  });
});

describe("an operation is imported, with the fault in a warning, when a parameter", () => {
  it.each<[string, JsonValue, string]>([
    ["has no name", [{ in: "query", schema: string }], at(0)],
    ["has an empty name", [query("")], at(0, "/name")],
    ["is called __proto__", [query("__proto__")], at(0, "/name")],
    ["has no place", [{ name: "a", schema: string }], at(0)],
    ["has an unknown place", [{ name: "a", in: "querry", schema: string }], at(0, "/in")],
    ["has a place of Swagger 2.0", [{ name: "a", in: "formData", schema: string }], at(0, "/in")],
    ["has content without a media type", [{ name: "a", in: "query", content: {} }], at(0, "/content")],
    [
      "is a list with another place's style",
      [query("a", { style: "matrix", schema: { type: "array" } })],
      at(0, "/style"),
    ],
    ["is no header", [{ name: "X A:", in: "header", schema: string }], at(0, "/name")],
  ])("is optional and %s: it is omitted", (_, parameters, pointer) => {
    const text = getting(parameters);
    expect(onlyOperation(text).inputs).toEqual([]);
    expect(errorsOf(text)).toEqual([]);
    expect(problemsOf(text).map((problem) => problem.pointer)).toEqual(expect.arrayContaining([pointer, at(0)]));
  });

  it.each<[string, JsonValue]>([
    ["list is null", null],
    ["list is an object without members", {}],
    ["is null", [null]],
  ])("%s: there is none", (_, parameters) => {
    const text = getting(parameters);
    expect(onlyOperation(text).inputs).toEqual([]);
    expect(problemsOf(text)).toMatchObject([{ severity: "warning" }]);
  });

  it.each<[string, JsonValue, JsonObject, JsonObject | undefined]>([
    ["is of another case", [query("a", { in: "Query" })], { a: "x" }, { a: 1 }],
    ["has a number for a name", [{ name: 1, in: "query", schema: string }], { 1: "x" }, undefined],
    ["has neither schema nor content", [{ name: "a", in: "query", required: true }], { a: 1 }, {}],
    ["has a schema with nothing behind it", [query("a", { schema: null })], { a: 1 }, undefined],
    ["has a type in the way of Swagger 2.0", [{ name: "a", in: "query", type: "integer" }], { a: 1 }, { a: "x" }],
    ["has an unknown type", [query("a", { schema: { type: "strng" } })], { a: "x" }, undefined],
    ["has a style of another place", [query("a", { style: "matrix" })], { a: "x" }, { a: 1 }],
    ["has a text for explode", [query("a", { explode: "true" })], { a: "x" }, { a: 1 }],
    ["says that it is required in a text", [query("a", { required: "true" })], { a: "x" }, {}],
    ["says that it is optional in a text", [query("a", { required: "False" })], {}, { a: 1 }],
    ["says nothing of being required", [query("a", { required: null })], {}, { a: 1 }],
    ["has a word for required", [query("a", { required: "sometimes" })], {}, { a: 1 }],
    ["is declared twice", [query("a"), query("a", { schema: { type: "integer" } })], { a: "x" }, { a: 1 }],
  ])("%s", (_, parameters, fits, doesNot) => {
    const text = getting(parameters);
    const operation = onlyOperation(text);
    expect(takes(operation, fits)).toBe(true);
    if (doesNot !== undefined) expect(takes(operation, doesNot)).toBe(false);
    expect(problemsOf(text).length).toBeGreaterThan(0);
    expect(errorsOf(text)).toEqual([]);
  });

  it("belongs to a path without a place for it: the operation is called without it", () => {
    const text = getting([{ name: "id", in: "path", required: true, schema: string }, query("page")]);
    expect(onlyOperation(text).inputs.map(({ input }) => input)).toEqual(["page"]);
    expect(problemsOf(text)).toMatchObject([{ severity: "warning", pointer: at(0) }]);
  });

  it("is in the path's template but not declared: a text or a whole number is accepted", () => {
    const text = getting([], "/x/{id}");
    const operation = onlyOperation(text);
    expect(operation.inputs).toMatchObject([{ input: "id", in: "path", name: "id", required: true }]);
    expect(takes(operation, { id: "a" })).toBe(true);
    expect(takes(operation, { id: 7 })).toBe(true);
    expect(takes(operation, {})).toBe(false);
    expect(problemsOf(text)).toMatchObject([{ severity: "warning", pointer: "/paths/~1x~1{id}/get" }]);
  });

  it.each(["userid", "user_id", "UserId"])("of the path is spelt differently: %s", (name) => {
    const text = getting([{ name, in: "path", required: true, schema: { type: "integer" } }], "/x/{userId}");
    const operation = onlyOperation(text);
    expect(operation.inputs).toMatchObject([{ input: "userId", in: "path", name: "userId" }]);
    expect(takes(operation, { userId: 7 })).toBe(true);
    expect(takes(operation, { userId: "x" })).toBe(false);
    expect(problemsOf(text)).toMatchObject([{ severity: "warning" }]);
  });

  it("has the name of one in the path and no place", () => {
    const text = getting([{ name: "id", schema: { type: "integer" } }], "/x/{id}");
    expect(onlyOperation(text).inputs).toMatchObject([{ in: "path", name: "id" }]);
    expect(errorsOf(text)).toEqual([]);
  });
});
