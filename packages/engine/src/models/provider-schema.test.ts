import { expect, test } from "vitest";
import { providerSchema } from "./provider-schema.ts";

test("lists have items, tuples are those of draft 2020-12, and names are not judged, at every depth", () => {
  const schema = {
    type: "object",
    properties: {
      ids: { type: ["array", "null"] },
      at: { type: "array", items: [{ type: "array" }], additionalItems: false },
      propertyNames: { type: "object", propertyNames: { pattern: "^x" }, additionalProperties: { type: "array" } },
      type: { enum: [{ type: "array" }], default: { type: "array" } },
    },
    allOf: [{ properties: { items: { type: "array" } } }],
  };
  expect(providerSchema(schema)).toEqual({
    type: "object",
    properties: {
      ids: { type: ["array", "null"], items: {} },
      at: { type: "array", prefixItems: [{ type: "array", items: {} }], items: false },
      propertyNames: { type: "object", additionalProperties: { type: "array", items: {} } },
      type: { enum: [{ type: "array" }], default: { type: "array" } },
    },
    allOf: [{ properties: { items: { type: "array", items: {} } } }],
  });
});

test("a root that names no member says so", () => {
  expect(providerSchema({ type: "object" })).toEqual({ type: "object", properties: {} });
});
