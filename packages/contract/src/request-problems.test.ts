import { expect, test } from "vitest";
import * as z from "zod";
import type { RequestProblem } from "./request-problems.ts";
import { requestProblems } from "./request-problems.ts";

const problemsWith = (schema: z.ZodType, value: unknown): readonly RequestProblem[] => {
  const result = schema.safeParse(value);
  return result.success ? [] : requestProblems(result.error);
};
const messageWith = (schema: z.ZodType, value: unknown) => problemsWith(schema, value)[0]?.message;

test("every problem of a request is reported at once, each by its pointer", () => {
  const schema = z.strictObject({ a: z.string(), "b/c": z.strictObject({ d: z.array(z.number()) }) });
  expect(problemsWith(schema, { "b/c": { d: [1, "2"] } })).toEqual([
    { kind: "invalid", path: "/a", message: "is required" },
    { kind: "invalid", path: "/b~1c/d/1", message: "must be a number" },
  ]);
});

test("unknown fields have their own code, and each is named", () => {
  const schema = z.strictObject({ a: z.strictObject({}) });
  expect(problemsWith(schema, { a: { x: 1 }, y: 2, z: 3 })).toEqual([
    { kind: "unknown_field", path: "/a/x", message: "is not a known field" },
    { kind: "unknown_field", path: "/y", message: "is not a known field" },
    { kind: "unknown_field", path: "/z", message: "is not a known field" },
  ]);
});

test("a field named __proto__ is unknown like any other", () => {
  const problems = problemsWith(z.strictObject({}), JSON.parse('{"__proto__":{}}'));
  expect(problems).toEqual([{ kind: "unknown_field", path: "/__proto__", message: "is not a known field" }]);
});

test.each<[string, z.ZodType, unknown]>([
  ["is required", z.strictObject({ a: z.string() }), {}],
  ["must be an object", z.strictObject({}), []],
  ["must be a whole number", z.int(), 1.5],
  ["must be one of a, b", z.enum(["a", "b"]), "c"],
  ["must be true", z.literal(true), false],
  ["must be at least 1000", z.number().min(1000), 999],
  ["must be more than 0", z.number().gt(0), 0],
  ["must be at most 5", z.number().max(5), 6],
  ["must be less than 5", z.number().lt(5), 5],
  ["must be a multiple of 5", z.number().multipleOf(5), 6],
  ["must have at least 1 character", z.string().min(1), ""],
  ["must have at most 2 items", z.array(z.string()).max(2), ["a", "b", "c"]],
  ["must be a UUID v4", z.uuidv4(), "1"],
  ["must be a URL", z.url(), "nowhere"],
  ["must be a point in time in ISO 8601, such as 2026-01-31T09:30:00Z", z.iso.datetime(), "today"],
  ["must be in the format base64url", z.base64url(), "?"],
  ["must match /^a+$/", z.string().regex(/^a+$/), "b"],
  ["must hold letters only", z.string().regex(/^[a-z]+$/, "must hold letters only"), "1"],
  [
    "must be one of a, b",
    z.discriminatedUnion("k", [z.object({ k: z.literal("a") }), z.object({ k: z.literal("b") })]),
    {},
  ],
  ["fits none of the allowed forms", z.union([z.string(), z.number()]), true],
  ["must be text or a number", z.union([z.string(), z.number()], "must be text or a number"), true],
  ["has a name that is not allowed", z.record(z.string().min(2), z.string()), { a: "b" }],
  ["is not valid", z.string().refine(() => false), "a"],
])("the message is: %s", (message, schema, value) => {
  expect(messageWith(schema, value)).toBe(message);
});

test("the message about a union is that of the closest option", () => {
  const pasted = z.strictObject({ text: z.strictObject({ lines: z.array(z.string()) }) });
  const schema = z.union([z.string(), z.strictObject({ url: z.url() }), pasted]);
  expect(problemsWith(z.strictObject({ spec: schema }), { spec: { text: { lines: [1] } } })).toEqual([
    { kind: "invalid", path: "/spec/text/lines/0", message: "must be a string" },
  ]);
});

test("messages never carry values of the request", () => {
  const schema = z.strictObject({ a: z.enum(["x"]), b: z.number().max(1), c: z.uuidv4(), d: z.url(), e: z.literal(1) });
  const sent = { a: "hunter2", b: 31337, c: "hunter2", d: "hunter2", e: "hunter2" };
  expect(JSON.stringify(problemsWith(schema, sent))).not.toMatch(/hunter2|31337/);
});

test("the first hundred problems are reported, however many there are", () => {
  const names = Array.from({ length: 1_000 }, (_name, number) => `f${number}`);
  const unknown = problemsWith(z.strictObject({}), Object.fromEntries(names.map((name) => [name, 1])));
  expect(unknown.map(({ path }) => path)).toEqual(names.slice(0, 100).map((name) => `/${name}`));
  const wrong = problemsWith(
    z.array(z.string()),
    names.map(() => 1),
  );
  expect(wrong.map(({ path }) => path)).toEqual(names.slice(0, 100).map((_name, index) => `/${index}`));
});
