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

  it("that every request has from elsewhere is none, also where it is required", () => {
    const names = ["Content-Type", "Host", "content-length", "Proxy-Authorization"];
    const parameters = names.map((name) => ({ name, in: "header", required: true, schema: string }));
    const { operations, problems } = imported(getting([...parameters, query("page")]));
    expect(operations[0]?.inputs.map(({ input }) => input)).toEqual(["page"]);
    expect(operations[0]?.input).not.toHaveProperty("required");
    expect(problems).toMatchObject(names.map((_, index) => ({ severity: "warning", pointer: at(index) })));
  });

  it("of the path holds for all its operations, unless one declares it anew", () => {
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

  it("of the same name in several places, or in the body, is several inputs, and each goes where it belongs", () => {
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

  it("called `body` beside a body that is one value is told apart from it", () => {
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

  it("of names that every object inherits is an input like any other", () => {
    const operation = onlyOperation(getting(["constructor", "toString", "hasOwnProperty"].map((name) => query(name))));
    expect(takes(operation, {})).toBe(true);
    expect(takes(operation, { constructor: "a", toString: "b" })).toBe(true);
    expect(takes(operation, { constructor: 1 })).toBe(false);
  });

  it.each(["Accept", "content-type", "AUTHORIZATION"])("for the header %s is left out with a warning", (name) => {
    const text = getting([{ name, in: "header", required: true, schema: string }]);
    expect(onlyOperation(text).inputs).toEqual([]);
    expect(problemsOf(text)).toMatchObject([{ severity: "warning", pointer: at(0) }]);
  });

  it("of the path is required, whatever it says of itself", () => {
    const text = getting([{ name: "id", in: "path", schema: string }], "/x/{id}");
    expect(onlyOperation(text).inputs).toMatchObject([{ required: true }]);
    expect(problemsOf(text)).toMatchObject([{ severity: "warning", pointer: at(0, "", "~1x~1{id}") }]);
  });

  it("declared twice with the same words counts once", () => {
    const text = getting([query("a"), query("a")]);
    expect(onlyOperation(text).inputs).toHaveLength(1);
    expect(problemsOf(text)).toMatchObject([{ severity: "warning", pointer: at(1) }]);
  });
});

describe("an operation is refused, and the fault named at its place, when a parameter", () => {
  it.each<[string, JsonValue, string]>([
    ["list is a text", "limit", "/paths/~1x/get/parameters"],
    ["list is an object", {}, "/paths/~1x/get/parameters"],
    ["is a text", ["limit"], at(0)],
    ["is null", [null], at(0)],
    ["has no name", [{ in: "query", schema: string }], at(0)],
    ["has an empty name", [query("")], at(0, "/name")],
    ["has a number for a name", [{ name: 1, in: "query", schema: string }], at(0, "/name")],
    ["is called __proto__", [query("__proto__")], at(0, "/name")],
    ["has no place", [{ name: "a", schema: string }], at(0)],
    ["has an unknown place", [{ name: "a", in: "querry", schema: string }], at(0, "/in")],
    ["has a place of Swagger 2.0", [{ name: "a", in: "formData", schema: string }], at(0, "/in")],
    ["has a text for required", [query("a", { required: "yes" })], at(0, "/required")],
    ["has an unknown type", [{ name: "a", in: "query", schema: { type: "strng" } }], at(0, "/schema/type")],
    ["has neither schema nor content", [{ name: "a", in: "query" }], at(0)],
    ["has content without a media type", [{ name: "a", in: "query", content: {} }], at(0, "/content")],
    ["has content that is none", [{ name: "a", in: "query", content: "json" }], at(0, "/content")],
    ["has a style of another place", [query("a", { style: "matrix" })], at(0, "/style")],
    ["has a text for explode", [query("a", { explode: "true" })], at(0, "/explode")],
    ["is no header", [{ name: "X A:", in: "header", schema: string }], at(0, "/name")],
    ["is declared twice, differently", [query("a"), query("a", { schema: { type: "integer" } })], at(1)],
    ["is of a path that lacks it", [{ name: "id", in: "path", required: true, schema: string }], at(0)],
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

  it("of the path's template is not declared", () => {
    expect(errorsOf(getting([], "/x/{id}"))).toEqual(["/paths/~1x~1{id}/get"]);
  });
});
