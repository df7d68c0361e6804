import { describe, expect, test } from "vitest";
import * as z from "zod";
import * as mini from "zod/mini";
import * as z3 from "zod3";
import { defineFunction } from "./define-function.ts";
import { createFunctionTable } from "./function-table.ts";
import type { InputSchema } from "./input-schema.ts";

const handler = () => null;
const define = (input: InputSchema, more: object = {}) =>
  defineFunction({ name: "screen", description: "Screens a name.", input, handler, ...more });
const declaredInput = (input: InputSchema) => define(input).declaration.input;

describe.each([
  [
    "zod 4",
    z.object({
      name: z.string().min(1).describe("As on the invoice"),
      limit: z.number().int().default(5).describe("Most matches"),
      country: z.string().length(2).optional(),
    }),
  ],
  [
    "zod 3",
    z3.object({
      name: z3.string().min(1).describe("As on the invoice"),
      limit: z3.number().int().default(5).describe("Most matches"),
      country: z3.string().length(2).optional(),
    }),
  ],
])("an input of %s", (_name, schema) => {
  test("is declared with the descriptions and defaults of its fields, and allows no other fields", () => {
    expect(declaredInput(schema)).toMatchObject({
      type: "object",
      properties: {
        name: { type: "string", minLength: 1, description: "As on the invoice" },
        limit: { type: "integer", default: 5, description: "Most matches" },
        country: { type: "string", minLength: 2, maxLength: 2 },
      },
      required: ["name"],
      additionalProperties: false,
    });
  });
});

test("an input of zod mini is declared, too", () => {
  expect(declaredInput(mini.object({ name: mini.string() }))).toMatchObject({ required: ["name"] });
});

test("a description in another copy's registry is found through the schema itself", () => {
  const schema = z.object({ name: z.string() });
  Object.defineProperty(schema.shape.name, "description", { value: "Of another copy" });
  expect(declaredInput(schema)).toMatchObject({ properties: { name: { description: "Of another copy" } } });
});

describe("the declared input is that of callers, not that of the handler:", () => {
  test.each([
    ["zod 4", z.object({ cents: z.string().transform(Number), since: z.iso.date().pipe(z.coerce.date()) })],
    ["zod 3", z3.object({ cents: z3.string().transform(Number), since: z3.string().date().pipe(z3.coerce.date()) })],
  ])("%s", (_name, schema) => {
    expect(declaredInput(schema)).toMatchObject({
      properties: { cents: { type: "string" }, since: { type: "string", format: "date" } },
    });
  });
});

test.each([
  ["zod 4", z.discriminatedUnion("kind", [z.object({ kind: z.literal("a") }), z.object({ kind: z.literal("b") })])],
  [
    "zod 3",
    z3.discriminatedUnion("kind", [z3.object({ kind: z3.literal("a") }), z3.object({ kind: z3.literal("b") })]),
  ],
])("alternatives of objects in %s are an object", (_name, schema) => {
  expect(declaredInput(schema)).toMatchObject({ type: "object" });
});

test("open, nested and recursive objects are unchanged", () => {
  const tree = z.object({
    name: z.string(),
    get children() {
      return z.array(tree);
    },
  });
  expect(declaredInput(z.looseObject({}))).toMatchObject({ additionalProperties: {} });
  expect(declaredInput(tree)).toMatchObject({ properties: { children: { type: "array", items: { $ref: "#" } } } });
});

describe("is rejected with the function's name and the reason:", () => {
  test.each([
    ["a date of zod 4", () => define(z.object({ due: z.date() })), /"screen" cannot be described as JSON Schema: Date/],
    ["a date of zod 3", () => define(z3.object({ due: z3.date() })), /"screen" cannot be described .*: Date/],
    ["a bigint of zod 3", () => define(z3.object({ n: z3.bigint() })), /BigInt cannot be represented/],
    ["a text of zod 4", () => define(z.string()), /is "string", but the input must be an object/],
    ["a list of zod 3", () => define(z3.array(z3.string())), /is "array", but the input must be an object/],
    ["no schema", () => define({ name: "string" } as never), /input is not a zod schema/],
    ["no handler", () => define(z.object({}), { handler: "x" }), /handler is not a function/],
    ["a name with a space", () => define(z.object({}), { name: "screen name" }), /name must begin with a letter/],
    ["an empty name", () => define(z.object({}), { name: "" }), /name must begin/],
    ["an empty description", () => define(z.object({}), { description: "" }), /description/],
    [
      "a key that is kept by a function that is not idempotent",
      () => define(z.object({}), { idempotencyKeyTtlMs: 300_000 }),
      /idempotencyKeyTtlMs is for idempotent functions only/,
    ],
    [
      "a key that is kept for half a second",
      () => define(z.object({}), { idempotent: true, idempotencyKeyTtlMs: 500 }),
      /idempotencyKeyTtlMs/,
    ],
    ["a timeout of 0", () => define(z.object({}), { timeoutMs: 0 }), /timeoutMs is 0/],
    ["a timeout of half a millisecond", () => define(z.object({}), { timeoutMs: 0.5 }), /timeoutMs is 0.5/],
  ])("%s", (_name, make, message) => {
    expect(make).toThrow(message);
    expect(make).toThrow(expect.objectContaining({ code: "invalid_configuration" }));
  });
});

describe("the manifest", () => {
  test("declares each function without its handler", () => {
    const { manifest } = createFunctionTable([define(z.object({}), { requiresReview: true, idempotent: true })]);
    expect(JSON.parse(manifest)).toEqual({
      functions: [
        {
          ...{ name: "screen", description: "Screens a name.", requiresReview: true, idempotent: true },
          input: expect.objectContaining({ type: "object" }),
        },
      ],
    });
  });

  test("needs at least one function, with unique names, and only functions from defineFunction", () => {
    const one = define(z.object({}));
    expect(() => createFunctionTable([])).toThrow("There is no function to serve");
    expect(() => createFunctionTable([one, define(z.object({}))])).toThrow('Two functions are named "screen"');
    expect(() => createFunctionTable([{ ...one }])).toThrow("only functions from defineFunction");
  });

  test("is rejected locally when it is too large to be sent", () => {
    const large = define(z.object({ name: z.string().describe("x".repeat(1_048_576)) }));
    expect(() => createFunctionTable([large])).toThrow("the maximum is 1048576");
  });
});

test("a declaration contains idempotencyKeyTtlMs if it was given", () => {
  expect(define(z.object({}), { idempotent: true, idempotencyKeyTtlMs: 300_000 }).declaration).toMatchObject({
    idempotencyKeyTtlMs: 300_000,
  });
  expect(define(z.object({}), { idempotent: true }).declaration).not.toHaveProperty("idempotencyKeyTtlMs");
});

test.each([
  [{ requireReview: true }, 'Function "pay" has no option "requireReview"; did you mean "requiresReview"?'],
  [{ requiresReview: "yes" }, /^Function "pay" cannot be defined: requiresReview /],
  [{ idempotent: 1 }, /^Function "pay" cannot be defined: idempotent /],
  [{ effect: "once" }, /^Function "pay" has no option "effect"; known are/],
])("defining a function with %o is rejected", (wrong, message) => {
  const definition = { name: "pay", description: "Pays.", input: z.object({}), handler: () => ({}), ...wrong };
  const said = typeof message === "string" ? message : (expect.stringMatching(message) as string);
  expect(() => defineFunction(definition as never)).toThrow(
    expect.objectContaining({ code: "invalid_configuration", message: said }),
  );
});

test.each([undefined, null, []])("a missing definition (%o) is rejected with instructions", (definition) => {
  expect(() => defineFunction(definition as never)).toThrow(/^defineFunction takes an object with options/);
});
