import { describe, expect, it } from "vitest";
import type { JsonObject } from "@procedo/contract";
import { compareOperations } from "./compare-operations.ts";
import { importDocument } from "./import-document.ts";

const parameter = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  in: "query",
  schema: { type: "string" },
  ...more,
});
const operation = (operationId: string, more: JsonObject = {}): JsonObject => ({
  operationId,
  responses: { "200": { description: "ok" } },
  ...more,
});

function operationsOf(paths: JsonObject) {
  const result = importDocument(JSON.stringify({ openapi: "3.0.3", info: { title: "x", version: "1" }, paths }));
  return result.ok ? result.api.operations : [];
}
const compare = (before: JsonObject, after: JsonObject) => compareOperations(operationsOf(before), operationsOf(after));
const nothing = { added: [], changed: [], deprecated: [], renamed: [], removed: [] };
const get = (more: JsonObject = {}) => ({ "/a": { get: operation("a", more) } });

describe("two versions of a document", () => {
  it("with the same actions have no difference, despite other descriptions and responses", () => {
    const object = (names: string[]) => ({
      type: "object",
      required: names,
      properties: Object.fromEntries(names.map((name) => [name, {}])),
    });
    const body = (names: string[], description: string) => ({
      requestBody: { content: { "application/json": { schema: { ...object(names), description } } } },
    });
    expect(
      compare(
        { "/a": { post: operation("a", body(["x", "y"], "Old.")) } },
        { "/a": { post: operation("a", { summary: "New", ...body(["y", "x"], "New.") }) } },
      ),
    ).toEqual(nothing);
    const answer = { "200": { description: "ok", content: { "application/json": { schema: { type: "string" } } } } };
    expect(compare(get(), get({ responses: answer }))).toEqual(nothing);
  });

  it.each<[string, JsonObject, JsonObject]>([
    ["an argument came", {}, { parameters: [parameter("p")] }],
    [
      "its type is another",
      { parameters: [parameter("p")] },
      { parameters: [parameter("p", { schema: { type: "integer" } })] },
    ],
    ["it became required", { parameters: [parameter("p")] }, { parameters: [parameter("p", { required: true })] }],
    ["it is written otherwise", { parameters: [parameter("p")] }, { parameters: [parameter("p", { explode: false })] }],
    ["it goes elsewhere", { parameters: [parameter("p")] }, { parameters: [parameter("p", { in: "header" })] }],
    ["a value called like a keyword went", { parameters: [parameter("title")] }, {}],
    [
      "an enum is another",
      { parameters: [parameter("p", { schema: { enum: ["a"] } })] },
      { parameters: [parameter("p", { schema: { enum: ["b"] } })] },
    ],
  ])("report a changed action when %s", (_, before, after) => {
    expect(compare(get(before), get(after))).toEqual({ ...nothing, changed: ["a"] });
  });

  it("report a changed action when its name moved to another method or path", () => {
    expect(compare(get(), { "/b": { get: operation("a") } })).toEqual({ ...nothing, changed: ["a"] });
    expect(compare(get(), { "/a": { post: operation("a") } })).toEqual({ ...nothing, changed: ["a"] });
  });

  it("report added, removed and deprecated actions", () => {
    const after = { "/b": { get: operation("b"), put: operation("c", { deprecated: true }) } };
    const before = { "/a": { get: operation("a") }, "/b": { put: operation("c") } };
    expect(compare(before, after)).toEqual({ ...nothing, added: ["b"], deprecated: ["c"], removed: ["a"] });
    expect(compare(after, after)).toEqual(nothing);
  });

  it("distinguish a renamed action from another operation", () => {
    const before = { "/a": { get: operation("a"), put: operation("x") } };
    const after = { "/a": { get: operation("b"), put: operation("x") }, "/c": { get: operation("c") } };
    expect(compare(before, after)).toEqual({ ...nothing, added: ["c"], renamed: [{ from: "a", to: "b" }] });
  });

  it("report a renamed action as changed as well", () => {
    const after = { "/a": { get: operation("b", { deprecated: true, parameters: [parameter("p")] }) } };
    expect(compare(get(), after)).toEqual({
      ...nothing,
      changed: ["b"],
      deprecated: ["b"],
      renamed: [{ from: "a", to: "b" }],
    });
  });
});
