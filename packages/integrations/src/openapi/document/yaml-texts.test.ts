import type { JsonObject, JsonValue } from "@procedo/contract";
import { describe, expect, it } from "vitest";
import { importDocument, type ImportedApi } from "../index.ts";
import { readYaml } from "./read-yaml.ts";
import { createTextPositions } from "./text-position.ts";

function read(text: string): JsonValue {
  const result = readYaml(text, createTextPositions(text));
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.value;
}

/** Lines of a schema within another object, so that it is not the document's root. */
const schemaOf = (...lines: readonly string[]): JsonObject =>
  (read(`schema:\n${lines.map((line) => `  ${line}\n`).join("")}`) as { schema: JsonObject }).schema;

const list =
  "[0742, 1.10, 1.0, 1e3, 0x1F, 0o17, +5, -.5, yes, True, false, 2020-01-01, 12:30, 9007199254740993, '7', ~]";
const written = [
  ...["0742", "1.10", "1.0", "1e3", "0x1F", "0o17", "+5", "-.5", "yes", "True", "false", "2020-01-01", "12:30"],
  ...["9007199254740993", "7"],
];
const meant = [742, 1.1, 1, 1000, 31, 15, 5, -0.5, "yes", true, false, "2020-01-01", "12:30", 9007199254740992, "7"];

describe("where a schema says string, YAML values keep their notation", () => {
  it.each([
    ["before the list", ["type: string", `enum: ${list}`]],
    ["after the list", [`enum: ${list}`, "type: string"]],
    ["in a part", ["allOf: [{ type: string }]", `enum: ${list}`]],
    ["under a name of another language", ["type: String", `enum: ${list}`]],
    [
      "by a reference",
      ["allOf: [{ $ref: '#/schema/$defs/Code' }]", `enum: ${list}`, "$defs: { Code: { type: string } }"],
    ],
  ])("in an enum: %s", (_, lines) => {
    expect(schemaOf(...lines)["enum"]).toEqual([...written, "~"]);
  });

  it("in parts of a string schema that inherit its type", () => {
    const schema = schemaOf(
      "type: string",
      "oneOf: [{ enum: [01, 1.0] }, { type: integer, enum: [02] }]",
      "anyOf: [{}]",
    );
    expect(schema["oneOf"]).toEqual([{ enum: ["01", "1.0"] }, { type: "integer", enum: [2] }]);
    const shared = read("a: &a { enum: [01] }\nb: { type: string, anyOf: [*a] }\nc: { type: integer, anyOf: [*a] }");
    expect(shared).toEqual({
      a: { enum: [1] },
      b: { type: "string", anyOf: [{ enum: ["01"] }] },
      c: { type: "integer", anyOf: [{ enum: [1] }] },
    });
  });

  it("beside references that lead to a string schema directly or indirectly, and beside no others", () => {
    const text = [
      "text: { type: string }",
      "number: { type: number }",
      "link: { $ref: '#/text' }",
      "a: { allOf: [{ $ref: '#/link' }], default: 0742, enum: [0742] }",
      "b: { allOf: [{ $ref: '#/number' }], default: 0742 }",
      "c: { allOf: [{ $ref: '#/none' }, { $ref: '#/c' }], default: 0742 }",
    ];
    const { a, b, c } = read(text.join("\n")) as Record<string, JsonObject>;
    expect([a?.["default"], a?.["enum"], b?.["default"], c?.["default"]]).toEqual(["0742", ["0742"], 742, 742]);
  });

  it("in an enum with null, which stays null", () => {
    const types = ["type: string", "nullable: true"];
    expect(schemaOf(...types, `enum: ${list}`)["enum"]).toEqual([...written, null]);
    expect(schemaOf("type: [string, 'null']", `enum: ${list}`)["enum"]).toEqual([...written, null]);
    expect(schemaOf("type: string", "enum: [null, NULL, 1.0]")["enum"]).toEqual([null, null, "1.0"]);
  });

  it("in a list over several lines, with comments and an empty item", () => {
    expect(schemaOf("type: string", "enum:", "- 0742 # a code", "-", "- 1.10", "- 1_000")["enum"]).toEqual([
      ...["0742", null, "1.10", "1_000"],
    ]);
  });

  it("in default, example, const and pattern", () => {
    const schema = schemaOf("type: string", "default: 007", "example: 1.10", "const: on", "pattern: 0123");
    expect(schema).toEqual({ type: "string", default: "007", example: "1.10", const: "on", pattern: "0123" });
    expect(schemaOf("type: string", "default: null", "example: ~")).toEqual({
      type: "string",
      default: null,
      example: null,
    });
  });

  it("in data with text members", () => {
    const items = schemaOf("type: array", "items: { type: string }", "default: [01, 1.0]", "example: [02, [03]]");
    expect([items["default"], items["example"]]).toEqual([
      ["01", "1.0"],
      ["02", [3]],
    ]);
    const object = schemaOf(
      "properties: { code: { type: string }, amount: { type: number }, inner: { properties: { zip: { type: string } } } }",
      "additionalProperties: { type: string }",
      "example: { code: 0742, amount: 1.10, inner: { zip: 01234 }, more: 1.0 }",
    );
    expect(object["example"]).toEqual({ code: "0742", amount: 1.1, inner: { zip: "01234" }, more: "1.0" });
  });

  it("through aliases and merge keys, without changing shared values", () => {
    const text = [
      "codes: &codes [0742, 1.10]",
      "base: &base { enum: [010, 1.0], default: 010 }",
      "version: &version 1.10",
      "text: { type: string, enum: *codes, default: *version }",
      "number: { type: number, enum: *codes, default: *version }",
      "merged: { <<: *base, type: string }",
      "counted: { <<: *base, type: integer }",
    ].join("\n");
    expect(read(text)).toEqual({
      codes: [742, 1.1],
      base: { enum: [10, 1], default: 10 },
      version: 1.1,
      text: { type: "string", enum: ["0742", "1.10"], default: "1.10" },
      number: { type: "number", enum: [742, 1.1], default: 1.1 },
      merged: { type: "string", enum: ["010", "1.0"], default: "010" },
      counted: { type: "integer", enum: [10, 1], default: 10 },
    });
  });
});

describe("where no schema says string, YAML values stay", () => {
  it.each([
    ["integer", "integer"],
    ["number", "number"],
    ["a list of types", "[string, integer]"],
  ])("in an enum of type %s", (_, type) => {
    const values = schemaOf(`type: ${type}`, `enum: ${list}`)["enum"];
    expect(values).toEqual([...meant, null]);
  });

  it("except in an enum of texts and numbers without a type", () => {
    expect(schemaOf("enum: [A1, 0742, 1.10]")["enum"]).toEqual(["A1", "0742", "1.10"]);
    expect(schemaOf("enum: [0742, 1.10]")["enum"]).toEqual([742, 1.1]);
    expect(schemaOf("enum: [auto, true, 010]")["enum"]).toEqual(["auto", true, 10]);
  });

  it("in data, under any name, and with a tag", () => {
    expect(read("example: { version: 1.10, title: 007, default: 010, required: [1] }")).toEqual({
      example: { version: 1.1, title: 7, default: 10, required: [1] },
    });
    expect(schemaOf("type: string", "enum: [!!int 010, !!str 010]")["enum"]).toEqual([10, "010"]);
    expect(schemaOf("properties: {}", "required: true")["required"]).toBe(true);
  });
});

describe("members that are texts in OpenAPI", () => {
  const text = `
openapi: 3.0.0
info: { title: 1984, version: 1.10 }
servers:
  - url: https://api.example.com/{version}
    variables: { version: { default: 1.10, enum: [1.0, 1.10] } }
paths:
  /things/{0id}:
    post:
      operationId: 007
      parameters:
        - { name: 0id, in: path, required: true, schema: { type: string } }
        - { name: 010, in: query, schema: { type: string, enum: [01, 1.0], default: 01 } }
      requestBody:
        content:
          application/json:
            schema:
              type: object
              required: [0742]
              properties: { 0742: { type: string, enum: [yes, 1e3] } }
      responses: { "200": { description: ok } }
`;
  const api = (): ImportedApi => {
    const imported = importDocument(text);
    if (!imported.ok) throw new Error(JSON.stringify(imported.problems));
    return imported.api;
  };

  it("keep their notation: title, version, servers, names and operationIds", () => {
    const { title, version, baseUrl, operations, problems } = api();
    expect([title, version, baseUrl]).toEqual(["1984", "1.10", "https://api.example.com/1.10"]);
    expect(operations.map(({ name, operationId }) => [name, operationId])).toEqual([["007", "007"]]);
    expect(operations[0]?.inputs.map(({ name, in: place, required }) => [place, name, required])).toEqual([
      ["path", "0id", true],
      ["query", "010", false],
      ["body", "0742", true],
    ]);
    expect(problems).toEqual([]);
  });

  it("except an operationId that is a plain number, which becomes the action's name", () => {
    const imported = importDocument(text.replace("operationId: 007", "operationId: 42"));
    if (!imported.ok) throw new Error(JSON.stringify(imported.problems));
    expect(imported.api.operations.map(({ name }) => name)).toEqual(["42"]);
    expect(imported.api.problems).toMatchObject([
      { severity: "warning", pointer: "/paths/~1things~1{0id}/post/operationId" },
    ]);
  });

  it("and enum values are sent in their notation", () => {
    expect(api().operations[0]?.input).toMatchObject({
      properties: { "010": { enum: ["01", "1.0"], default: "01" }, "0742": { enum: ["yes", "1e3"] } },
    });
  });

  it("include the names in discriminators", () => {
    const discriminator = read("discriminator: { propertyName: 0742, mapping: { 01: 7, 1.0: '#/b' } }");
    expect(discriminator).toEqual({
      discriminator: { propertyName: "0742", mapping: { "01": "7", "1.0": "#/b" } },
    });
  });
});
