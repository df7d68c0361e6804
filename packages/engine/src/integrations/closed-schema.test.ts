import { describe, expect, test } from "vitest";
import * as z from "zod";
import { closedSchema } from "./closed-schema.ts";

const unknownsOf = (schema: z.ZodObject, value: unknown): readonly string[] => {
  const { error } = closedSchema(schema).safeParse(value);
  return (error?.issues ?? []).map((issue) => `${issue.code} at /${issue.path.join("/")}`);
};

const address = z.object({ street: z.string() });
const strayed = { street: "Quay 1", stret: "Quay 2" };

describe("an unknown member is refused", () => {
  test.each<[string, z.ZodType, unknown, string]>([
    ["of an object", address, strayed, "/given"],
    ["of an optional one", address.optional(), strayed, "/given"],
    ["of a nullable one with a default", address.nullable().default(null), strayed, "/given"],
    ["in an array", z.array(address), [{ street: "Quay 1" }, strayed], "/given/1"],
    ["in a tuple", z.tuple([z.string()], address), ["", strayed], "/given/1"],
    ["in a record", z.record(z.string(), address), { home: strayed }, "/given/home"],
    ["before a transform", address.transform(({ street }) => street), strayed, "/given"],
    ["deep inside", z.object({ of: z.object({ home: address }) }), { of: { home: strayed } }, "/given/of/home"],
    ["behind a lazy schema", z.lazy(() => address), strayed, "/given"],
  ])("%s", (_where, given, value, path) => {
    expect(unknownsOf(z.object({ given }), { given: value })).toEqual([`unrecognized_keys at ${path}`]);
  });

  test("of a recursive schema, at any depth", () => {
    const part = z.object({
      name: z.string(),
      get parts() {
        return z.array(part).optional();
      },
    });
    const value = { name: "a", parts: [{ name: "b", parts: [{ name: "c", nam: "d" }] }] };
    expect(unknownsOf(part, value)).toEqual(["unrecognized_keys at /parts/0/parts/0"]);
  });

  test("in each option of a union", () => {
    const card = z.object({ kind: z.literal("card"), number: z.string() });
    const bank = z.object({ kind: z.literal("bank"), iban: z.string() });
    const schema = z.object({ by: z.discriminatedUnion("kind", [card, bank]) });
    expect(unknownsOf(schema, { by: { kind: "bank", iban: "DE1", bic: "X" } })).toEqual(["unrecognized_keys at /by"]);
    expect(unknownsOf(schema, { by: { kind: "bank", iban: "DE1" } })).toEqual([]);
  });
});

test("an object that takes further members still takes them", () => {
  const schema = z.object({
    loose: z.looseObject({ a: z.string() }),
    numbers: z.object({ a: z.string() }).catchall(z.number()),
  });
  expect(unknownsOf(schema, { loose: { a: "", b: {} }, numbers: { a: "", b: 1 } })).toEqual([]);
});

test("checks, refinements and descriptions stay", () => {
  const schema = z.object({
    period: z
      .object({ from: z.int().min(1), to: z.int() })
      .refine(({ from, to }) => from < to, "must end later")
      .meta({ description: "The days." }),
  });
  const closed = closedSchema(schema);
  expect(closed.safeParse({ period: { from: 3, to: 2 } }).error?.issues[0]?.message).toBe("must end later");
  expect(closed.safeParse({ period: { from: 0, to: 2 } }).success).toBe(false);
  expect(z.toJSONSchema(closed, { io: "input" })).toMatchObject({
    additionalProperties: false,
    properties: { period: { description: "The days.", additionalProperties: false, required: ["from", "to"] } },
  });
  // The given schema is left as it was.
  expect(z.toJSONSchema(schema, { io: "input" })).not.toHaveProperty("additionalProperties");
});
