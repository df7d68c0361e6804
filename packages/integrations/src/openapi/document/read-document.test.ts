import { describe, expect, it } from "vitest";
import type { JsonValue } from "@procedo/contract";
import type { ApiDocument } from "./api-document.ts";
import { readDocument } from "./read-document.ts";

const head = { openapi: "3.0.3", info: { title: "Ledger", version: "1" }, paths: {} };
const yamlHead = "openapi: 3.0.3\ninfo: {title: Ledger, version: '1'}\npaths: {}\n";

function problems(text: string) {
  const read = readDocument(text);
  return read.ok ? [] : read.problems;
}

function document(text: string): ApiDocument {
  const read = readDocument(text);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.document;
}

/** The value of `x` below a document's head, as YAML. */
const yamlValue = (yaml: string): JsonValue | undefined => document(`${yamlHead}x: ${yaml}\n`).root["x"];

describe("a document", () => {
  it.each([
    ["openapi: 3.0.3", "openapi-3.0"],
    ["openapi: 3.0", "openapi-3.0"],
    ['openapi: "3.0.1"', "openapi-3.0"],
    ["openapi: 3.0.0-rc2", "openapi-3.0"],
    ['swagger: "2.0"', "swagger-2.0"],
    ["swagger: 2.0", "swagger-2.0"],
  ])("with the version %s is of the dialect %s", (version, dialect) => {
    expect(document(`${version}\ninfo: {}\npaths: {}\n`).dialect).toBe(dialect);
  });

  it("is read identically from JSON and YAML", () => {
    const text = JSON.stringify({ ...head, x: [1, -0.5, null, true, "a: b", { "": [] }] }, null, 2);
    expect(document(`# a comment makes it YAML\n${text}`).root).toEqual(document(text).root);
  });

  it("may begin with a byte order mark and blanks, and have Windows line endings", () => {
    expect(document(`\uFEFF\n ${JSON.stringify(head)}`).root).toEqual(head);
    expect(document(`\uFEFF${yamlHead.replaceAll("\n", "\r\n")}`).root).toEqual(head);
  });

  it.each([
    ["", /empty/],
    [" \n\t\n", /empty/],
    ["# only a comment\n", /empty/],
    ["---\n", /empty/],
    ["null", /empty/],
    ["[1]", /is a list.*must be an object/],
    ["- a\n", /is a list.*must be an object/],
    ["Not found", /is a text.*must be an object/],
    ["42", /is a number.*must be an object/],
    ["openapi: 3.1.0\n", /^OpenAPI 3\.1\.0 is not supported; give a document of OpenAPI 3\.0 or Swagger 2\.0\.$/],
    ["openapi: 3.1\n", /^OpenAPI 3\.1 is not supported/],
    ["openapi: 4.0.0\n", /^OpenAPI 4\.0\.0 is not supported/],
    ["openapi: [3]\n", /must be a text/],
    ['{ "swaggerVersion": "1.2", "apis": [] }', /^Swagger 1\.2 is not supported/],
    ['swagger: "3.0"\n', /^Swagger 3\.0 is not supported/],
    ["asyncapi: 2.6.0\ninfo: {}\n", /^AsyncAPI is not supported/],
    ["# SDL\ntype Query { payment(id: ID!): Payment }", /^GraphQL is not supported/],
    ['"""What can be read"""\ntype Query {\n a: Int\n}', /^GraphQL is not supported/],
    ["schema {\n  query: Root\n}", /^GraphQL is not supported/],
    ["scalar Date\ntype Query { a: Date }", /^GraphQL is not supported/],
    ['{ "data": { "__schema": { "types": [] } } }', /^GraphQL is not supported/],
    ["<!DOCTYPE html>\n<html><body>Sign in</body></html>", /HTML page/],
    ['<html lang="en">', /HTML page/],
    ['<?xml version="1.0"?>\n<wsdl:definitions xmlns:wsdl="x"/>', /^WSDL is not supported/],
    ["<application/>", /^XML is not supported/],
    ["#%RAML 1.0\ntitle: x\n", /^RAML is not supported/],
    ['syntax = "proto3";\n', /^Protocol Buffers are not supported/],
    ['{ "info": { "_postman_id": "1", "name": "x" }, "item": [] }', /Postman collection is not supported/],
    ['{ "_type": "export", "resources": [] }', /Insomnia export is not supported/],
    ["arazzo: 1.0.0\n", /^Arazzo is not supported/],
  ])("that is %j is rejected by its name", (text, message) => {
    expect(problems(text)).toEqual([
      expect.objectContaining({ severity: "error", message: expect.stringMatching(message) }),
    ]);
  });

  it("that lacks several members at its top gets a problem for each", () => {
    expect(problems('{ "components": {} }').map(({ message }) => message)).toEqual([
      expect.stringMatching(/neither "openapi" nor "swagger"/),
      expect.stringMatching(/no "info"/),
      expect.stringMatching(/no "paths"/),
    ]);
  });

  it("larger than 20 MiB as UTF-8 is rejected, for characters of any size", () => {
    const limit = /larger than 20 MiB/;
    expect(problems(JSON.stringify({ ...head, x: "a".repeat(20 * 1024 * 1024) }))[0]?.message).toMatch(limit);
    expect(problems(JSON.stringify({ ...head, x: "€".repeat(7 * 1024 * 1024) }))[0]?.message).toMatch(limit);
    expect(problems(JSON.stringify({ ...head, x: "a".repeat(19 * 1024 * 1024) }))).toEqual([]);
  });

  it.each([
    ["JSON", `{"x":${"[".repeat(100_000)}`],
    ["JSON that is complete", `{"x":${"[".repeat(300)}${"]".repeat(300)}}`],
    ["YAML in brackets", `x: ${"[".repeat(10_000)}${"]".repeat(10_000)}\n`],
    ["YAML in dashes", `x:\n  ${"- ".repeat(10_000)}a\n`],
    ["YAML in lines", Array.from({ length: 1_000 }, (_, depth) => `${" ".repeat(depth)}a:\n`).join("")],
    ["YAML that is complete", `x: ${"[".repeat(300)}${"]".repeat(300)}\n`],
  ])("that nests too deeply as %s is rejected without recursion", (_name, text) => {
    expect(problems(text)).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/deeper than 200 levels/) }),
    ]);
  });

  it("with more than two million values is rejected", () => {
    const list = `[${"1,".repeat(2_000_000)}1]`;
    const tooMany = (pattern: RegExp) => [expect.objectContaining({ message: expect.stringMatching(pattern) })];
    expect(problems(`{"x":${list}}`)).toEqual(tooMany(/more than 2000000 values/));
    expect(problems(`x: ${list}\n`)).toEqual(tooMany(/more than 1000000 parts/));
  });
});

describe("a duplicate name", () => {
  it("is rejected with both places, all at once, in JSON and in YAML", () => {
    const json = '{ "openapi": "3.0.3",\n "paths": { "/a": 1, "/b~": 2,\n "/a": 3,\n "/b~": [ { "x": 1, "x": 2 } ] } }';
    const yaml = "openapi: 3.0.3\npaths:\n  /a: 1\n  /b~: 2\n  /a: 3\n  /b~:\n    - {x: 1, x: 2}\n";
    const expected = (lines: readonly number[]) =>
      ["/paths/~1a", "/paths/~1b~0", "/paths/~1b~0/0/x"].map((pointer, index) =>
        expect.objectContaining({ pointer, line: lines[index], message: expect.stringMatching(/appears twice/) }),
      );
    expect(problems(json)).toHaveLength(3);
    expect(problems(json)).toEqual(expect.arrayContaining(expected([3, 4, 4])));
    expect(problems(yaml)).toHaveLength(3);
    expect(problems(yaml)).toEqual(expect.arrayContaining(expected([5, 6, 7])));
  });

  it("is also found when one is written with an escape", () => {
    expect(problems('{ "openapi": "3.0.3", "info": {}, "paths": { "/\\u0061": 1, "/a": 2 } }')).toHaveLength(1);
  });

  it("with a hundred thousand repetitions is listed in part, and counted", () => {
    const members = Array.from({ length: 100_000 }, (_, index) => `"k${index % 10}": 1`).join(",");
    const listed = problems(`{ "x": {${members}} }`);
    expect(listed).toHaveLength(501);
    expect(listed.at(-1)?.message).toMatch(/99490 more/);
  });

  it("is not reported for distinct names of any kind", () => {
    const text =
      '{ "openapi": "3.0.3", "info": {}, "paths": {}, "__proto__": { "polluted": true }, "constructor": {} }';
    const { root } = document(text);
    expect(Object.keys(root)).toContain("__proto__");
    expect(Object.getPrototypeOf(root)).toBe(Object.prototype);
    expect(Object.keys(document(`${yamlHead}__proto__: {polluted: true}\n`).root)).toContain("__proto__");
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

describe("a place", () => {
  const text = JSON.stringify({ ...head, "x~y": [{ "a/b": 1 }, { c: { d: [true, "{"] } }] }, null, 2);
  const yaml = `${yamlHead}x~y:\n  - a/b: 1\n  - c:\n      d: [true, "{"]\n`;

  it.each([
    ["", 1, 1],
    ["/openapi", 2, 3],
    ["/info/version", 5, 5],
    ["/x~0y", 8, 3],
    ["/x~0y/0/a~1b", 10, 7],
    ["/x~0y/1/c/d/1", 16, 11],
    ["/x~0y/1/c/missing/0", 13, 7],
    ["/x~0y/7", 8, 3],
  ])("in JSON is found from its pointer: %j", (pointer, line, column) => {
    expect(document(text).locate(pointer)).toEqual({ line, column });
  });

  it.each([
    ["/x~0y", 4, 1],
    ["/x~0y/0/a~1b", 5, 5],
    ["/x~0y/1/c/d/1", 7, 17],
    ["/x~0y/1/c/missing/0", 6, 5],
  ])("in YAML is found from its pointer: %j", (pointer, line, column) => {
    expect(document(yaml).locate(pointer)).toEqual({ line, column });
    // The same through the path for unusual YAML.
    expect(document(`%YAML 1.2\n---\n${yaml}`).locate(pointer)).toEqual({ line: line + 2, column });
  });
});

describe("an alias", () => {
  it("is replaced by its anchor's value, with merge keys in their order", () => {
    expect(yamlValue("[&a {p: 1, q: 2}, *a, {<<: *a, q: 3}, {<<: [{p: 0}, *a]}]")).toEqual([
      { p: 1, q: 2 },
      { p: 1, q: 2 },
      { q: 3, p: 1 },
      { p: 0, q: 2 },
    ]);
  });

  it("that multiplies values is rejected before memory grows", () => {
    const lines = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"];
    for (let level = 1; level < 30; level += 1) {
      lines.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(", ")}]`);
    }
    expect(problems(`${lines.join("\n")}\n`)).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/more than 500000 values/) }),
    ]);
  });

  it("that nests through aliases counts with its expanded depth", () => {
    const lines = ["a0: &a0 [1]"];
    for (let level = 1; level < 300; level += 1) lines.push(`a${level}: &a${level} [*a${level - 1}]`);
    expect(problems(`${lines.join("\n")}\n`)[0]?.message).toMatch(/deeper than 200 levels/);
  });

  it("to its own container, or without an anchor, is rejected", () => {
    expect(problems("a: &a {b: *a}\n")).toEqual([
      expect.objectContaining({ pointer: "/a/b", message: expect.stringMatching(/inside its own anchor/) }),
    ]);
    expect(problems("a: *b\n")).toEqual([
      expect.objectContaining({ pointer: "/a", line: 1, column: 4, message: expect.stringMatching(/no anchor/) }),
    ]);
  });
});

describe("a scalar of YAML", () => {
  it.each<[string, JsonValue]>([
    ["2026-02-28", "2026-02-28"],
    ["2026-02-28T10:00:00Z", "2026-02-28T10:00:00Z"],
    ["yes", "yes"],
    ["0o17", 15],
    ["0x1F", 31],
    ["1_000", "1_000"],
    ["010", 10],
    ["1e3", 1000],
    [".inf", ".inf"],
    [".nan", ".nan"],
    ["1e999", "1e999"],
    ["~", null],
    ["12:30:45", "12:30:45"],
    ["!!binary aGk=", "aGk="],
    ["!!timestamp 2026-02-28", "2026-02-28"],
    ["!ruby/object:Gem {a: 1}", { a: 1 }],
    ["!!str 12", "12"],
  ])("%s is read as the equivalent JSON value", (yaml, value) => {
    expect(yamlValue(yaml)).toEqual(value);
  });

  it("that names a member is always text", () => {
    expect(yamlValue("{200: a, 1.0: b, true: c, null: d}")).toEqual({ "200": "a", "1.0": "b", true: "c", null: "d" });
  });
});

describe("YAML that is wrong", () => {
  it("reports the line on which a quote was left open", () => {
    expect(problems('openapi: 3.0.3\ninfo:\n  version: "1.0\npaths: {}\n')).toEqual([
      expect.objectContaining({ line: 3, column: 12, message: expect.stringMatching(/never closed/) }),
    ]);
  });

  it("lists all faults with their lines, on one line each", () => {
    const listed = problems("a: b: c\nd:\n\te: 1\nf: [1, 2\n");
    expect(listed.length).toBeGreaterThan(1);
    for (const { line, message } of listed) {
      expect(line).toBeGreaterThan(0);
      expect(message).not.toContain("\n");
    }
  });

  it("with several documents, or with objects as names, is rejected", () => {
    expect(problems("a: 1\n---\nb: 2\n")[0]?.message).toMatch(/several YAML documents/);
    expect(problems("? [a]\n: 3\n")[0]?.message).toMatch(/must be text/);
  });

  it("in a large document is rejected where reading stopped, without a long search", () => {
    const text = `${"- a: [1, 2, 3]\n".repeat(60_000)}- "a" b\n`;
    expect(problems(text)).toEqual([
      expect.objectContaining({
        line: 60_001,
        message: expect.stringMatching(/cannot be read here: end of the stream/),
      }),
    ]);
  });
});
