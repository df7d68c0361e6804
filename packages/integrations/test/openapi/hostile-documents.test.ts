import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "@procedo/contract";
import { importDocument } from "@procedo/integrations/openapi";
import { answers, errorsOf, imported, onlyOperation, openApi, posting, problemsOf, takes } from "./documents.ts";

const schemaRef = (name: string | number): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const paths = (count: number, make: (index: number) => JsonValue): JsonObject =>
  Object.fromEntries(many(count, (index) => [`/r${index}`, { post: make(index) }]));
const object = (properties: JsonObject): JsonObject => ({ type: "object", properties });

describe("names that every object inherits", () => {
  const text = `{"openapi":"3.0.3","info":{"title":"x","version":"1"},"servers":[{"url":"https://a.example.com"}],
    "__proto__":{"polluted":true},
    "paths":{"__proto__":{"get":{"responses":{}}},
      "/a":{"__proto__":{"polluted":true},"get":{"operationId":"toString","responses":{}}},
      "/b":{"post":{"operationId":"__proto__","responses":{},"requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/constructor"}}}}}},
      "/c":{"get":{"parameters":[{"$ref":"#/components/parameters/hasOwnProperty"}],"responses":{}}}},
    "components":{"parameters":{},"schemas":{"constructor":{"type":"object","required":["amount"],"properties":{
      "amount":{"type":"integer"},"prototype":{"type":"string"},"hasOwnProperty":{"type":"string"}}}}}}`;

  it("change only their own object", () => {
    importDocument(text);
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
    expect("polluted" in {}).toBe(false);
  });

  it("are ordinary names where possible, and are rejected by name elsewhere", () => {
    const { operations } = imported(text);
    expect(operations.map(({ name }) => name)).toEqual(["toString", "__proto__"]);
    const [, pay] = operations;
    expect(pay?.inputs.map(({ input }) => input)).toEqual(["amount", "prototype", "hasOwnProperty"]);
    if (pay !== undefined) expect(takes(pay, { amount: 1, hasOwnProperty: "a" })).toBe(true);
    expect(errorsOf(text)).toEqual(["/paths/__proto__", "/paths/~1c/get/parameters/0/$ref"]);
    expect(problemsOf(text)).toContainEqual(
      expect.objectContaining({ severity: "warning", pointer: "/paths/~1a/__proto__" }),
    );
  });
});

describe("a document of references", () => {
  it("that double at each step stays small", () => {
    const schemas = Object.fromEntries(
      many(30, (index) => [
        `L${index}`,
        { ...object({ a: schemaRef(`L${index + 1}`), b: schemaRef(`L${index + 1}`) }), required: ["a"] },
      ]),
    );
    const operation = onlyOperation(
      openApi({ "/x": posting(schemaRef("L0")) }, { components: { schemas: { ...schemas, L30: { type: "string" } } } }),
    );
    expect(operation.inputs.map(({ input, required }) => [input, required])).toEqual([
      ["a", true],
      ["b", false],
    ]);
    expect(JSON.stringify(operation.input).length).toBeLessThan(10_000);
  });

  it("in a chain of thousands is followed to its end", () => {
    const schemas = Object.fromEntries(many(5_000, (index) => [`C${index}`, schemaRef(`C${index + 1}`)]));
    const end = { ...object({ end: { type: "string" } }), required: ["end"] };
    const operation = onlyOperation(
      openApi({ "/x": posting(schemaRef("C0")) }, { components: { schemas: { ...schemas, C5000: end } } }),
    );
    expect(operation.inputs).toMatchObject([{ input: "end", required: true }]);
  });

  it("with which many operations share a large body is read within the budget, and the rest is reported", () => {
    const properties = Object.fromEntries(many(900, (index) => [`p${index}`, { type: "string" }]));
    const requestBodies = { B: { content: { "application/json": { schema: object(properties) } } } };
    const text = openApi(
      paths(2_000, () => ({ requestBody: { $ref: "#/components/requestBodies/B" }, responses: answers })),
      { components: { requestBodies } },
    );
    const { operations, problems } = imported(text);
    expect(operations.length).toBeGreaterThan(100);
    expect(operations.reduce((sum, { inputs }) => sum + inputs.length, 0)).toBeLessThan(300_000);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.length).toBeLessThanOrEqual(501);
  });

  it("with which many operations reach one network of schemas gives each a bounded schema", () => {
    const size = 5_000;
    const schemas = Object.fromEntries(
      many(size, (index) => [
        `S${index}`,
        object({ l: schemaRef(`S${(2 * index + 1) % size}`), r: schemaRef(`S${(2 * index + 2) % size}`) }),
      ]),
    );
    const body = { content: { "application/json": { schema: object({ a: schemaRef("S0") }) } } };
    const { operations } = imported(
      openApi(
        paths(2_000, () => ({ requestBody: body, responses: { "200": { description: "ok", ...body } } })),
        { components: { schemas } },
      ),
    );
    const definitions = operations.map(
      ({ input, output }) => Object.keys(input["$defs"] ?? {}).length + Object.keys(output?.["$defs"] ?? {}).length,
    );
    expect(definitions.reduce((sum, count) => sum + count)).toBeLessThan(300_000);
    const [first] = operations;
    if (first !== undefined) expect(takes(first, { a: { l: {} } })).toBe(true);
  });

  it("with which many operations share thousands of faults reports each fault once, and refuses every operation", () => {
    const faulty = object(Object.fromEntries(many(5_000, (index) => [`p${index}`, { required: ["__proto__"] }])));
    const body = {
      content: { "application/json": { schema: object({ a: schemaRef("Faulty"), b: schemaRef("Fine") }) } },
    };
    const schemas = { Faulty: faulty, Fine: { type: "string" } };
    const result = importDocument(
      openApi(
        paths(2_000, () => ({ requestBody: body, responses: answers })),
        { components: { schemas } },
      ),
    );
    expect(result.ok).toBe(false);
    if (!result.ok) expect(result.problems).toHaveLength(501);
  });
});

describe("a document too large in one direction", () => {
  it("with 20,000 operations is imported, and with more than 25,000 refused", () => {
    expect(imported(openApi(paths(20_000, () => ({ responses: answers })))).operations).toHaveLength(20_000);
    expect(problemsOf(openApi(paths(25_001, () => ({ responses: answers }))))).toMatchObject([
      { severity: "error", pointer: "/paths", message: expect.stringContaining("25000") as string },
    ]);
  });

  it.each<[string, JsonObject, string]>([
    ["a path", { [`/${"a/".repeat(100_000)}`]: { get: { responses: answers } } }, "longer than"],
    [
      "a path of parameters",
      { [`/${many(100_000, (index) => `{p${index}}`).join("/")}`]: { get: { responses: answers } } },
      "longer than",
    ],
    [
      "a list of parameters",
      {
        "/x": {
          get: {
            parameters: many(5_000, (index) => ({ name: `p${index}`, in: "query", schema: {} })),
            responses: answers,
          },
        },
      },
      "5000 inputs",
    ],
  ])("is refused by name: %s", (_, of, message) => {
    const problems = problemsOf(openApi(of));
    expect(problems.some((problem) => problem.message.includes(message))).toBe(true);
    for (const problem of problems) expect(problem.pointer.length + problem.message.length).toBeLessThan(3_000);
  });

  it.each<[string, JsonObject]>([
    ["servers", { servers: many(50_000, () => ({ url: "ftp://x" })) }],
    ["security", { security: many(50_000, (index) => ({ [`s${index}`]: [] })) }],
    ["variables", { servers: [{ url: many(50_000, (index) => `{v${index}}`).join("") }] }],
  ])("is imported with a bounded list of problems: %s", (_, more) => {
    const { problems, operations } = imported(openApi({ "/x": { get: { responses: answers } } }, more));
    expect(operations).toHaveLength(1);
    expect(problems.length).toBeLessThanOrEqual(501);
    expect(problems.length).toBeGreaterThan(0);
  });

  it("because of its names is described briefly", () => {
    const long = "n".repeat(1_000_000);
    const schemas = { [long]: object(Object.fromEntries(many(200, (index) => [`p${index}`, { type: "strng" }]))) };
    const problems = problemsOf(
      openApi({ "/x": posting({ $ref: `#/components/schemas/${long}` }) }, { components: { schemas } }),
    );
    expect(problems.length).toBeGreaterThan(0);
    expect(JSON.stringify(problems).length).toBeLessThan(1_000_000);
  });
});
