import { expect, test } from "vitest";
import * as z from "zod";
import { createJsonSchemas } from "./json-schemas.ts";

test("makes a schema with an id a component, referenced from every schema that contains it", () => {
  const schemas = createJsonSchemas();
  const inner = z.strictObject({ a: z.string() }).meta({ id: "Inner" });
  const outer = z.strictObject({ inner, more: z.array(inner) }).meta({ id: "Outer" });
  expect(schemas.of(outer, "output")).toEqual({ $ref: "#/components/schemas/Outer" });
  expect(Object.keys(schemas.components).sort()).toEqual(["Inner", "Outer"]);
  expect(schemas.components["Outer"]).toMatchObject({
    properties: {
      inner: { $ref: "#/components/schemas/Inner" },
      more: { items: { $ref: "#/components/schemas/Inner" } },
    },
  });
});

test("makes a field with a default optional in requests and required in answers", () => {
  const schema = z.strictObject({ limit: z.int().default(50) });
  expect(createJsonSchemas().of(schema, "input")).not.toHaveProperty("required");
  expect(createJsonSchemas().of(schema, "output")).toMatchObject({ required: ["limit"] });
});

test("rejects one name for two schemas", () => {
  const schemas = createJsonSchemas();
  schemas.of(z.strictObject({ a: z.string() }).meta({ id: "Twice" }), "output");
  const other = z.strictObject({ b: z.string().default("") }).meta({ id: "Twin" });
  schemas.of(other, "input");
  expect(() => schemas.of(other, "output")).toThrow("Two different schemas have the name Twin");
});
