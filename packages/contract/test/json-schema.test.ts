import { describe, expect, test } from "vitest";
import * as z from "zod";
import * as contract from "../src/index.ts";

const schemas = Object.entries<unknown>(contract).flatMap(([name, value]) =>
  value instanceof z.ZodType ? [[name, value] as const] : [],
);

test("exactly the values named as schemas are schemas", () => {
  const named = Object.keys(contract).filter((name) => name.endsWith("Schema"));
  expect(schemas.map(([name]) => name).sort()).toEqual(named.sort());
});

describe.each(schemas)("%s", (name, schema) => {
  test.each(["input", "output"] as const)("has a JSON Schema 2020-12 of its %s", (io) => {
    expect(z.toJSONSchema(schema, { io })["$schema"]).toBe("https://json-schema.org/draft/2020-12/schema");
  });

  test("is closed: an object names all its possible fields", () => {
    const leaks = objectsIn(z.toJSONSchema(schema, { io: "input" })).filter(
      (object) => object["properties"] !== undefined && object["additionalProperties"] !== false,
    );
    expect(leaks).toEqual([]);
  });
});

test("each id names one schema", () => {
  const schemaOfId = new Map<string, z.core.$ZodType>();
  const twice: string[] = [];
  for (const [, root] of schemas) {
    visit(root, (schema) => {
      const id = z.globalRegistry.get(schema)?.id;
      if (id === undefined) return;
      if ((schemaOfId.get(id) ?? schema) !== schema) twice.push(id);
      schemaOfId.set(id, schema);
    });
  }
  expect(schemaOfId.size).toBeGreaterThan(50);
  expect(twice).toEqual([]);
});

test("bounds of the contract are in the schema of a start request", () => {
  const { $defs } = z.toJSONSchema(contract.startRunRequestSchema, { io: "input" });
  expect($defs?.["StartRunRequest"]).toMatchObject({
    required: ["data"],
    properties: {
      data: { type: "object" },
      control: {
        properties: {
          executionMode: { enum: ["async", "sync"], default: "async" },
          executionTimeout: { minimum: 1_000, maximum: 300_000, default: 60_000 },
        },
      },
    },
  });
});

type Json = Record<string, unknown>;

function objectsIn(value: unknown): readonly Json[] {
  if (typeof value !== "object" || value === null) return [];
  return [value as Json, ...Object.values(value).flatMap(objectsIn)];
}

/** Every schema that is part of another one. */
function visit(schema: z.core.$ZodType, see: (schema: z.core.$ZodType) => void, seen = new Set<unknown>()): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  see(schema);
  const parts = (value: unknown): readonly z.core.$ZodType[] => {
    if (value instanceof z.core.$ZodType) return [value];
    if (typeof value !== "object" || value === null) return [];
    return Object.values(value).flatMap((part) => (part instanceof z.core.$ZodType ? [part] : []));
  };
  for (const part of Object.values(schema._zod.def).flatMap(parts)) visit(part, see, seen);
}
