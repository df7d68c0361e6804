import { expect, test } from "vitest";
import { providerSchema } from "./provider-schema.ts";

test("at every depth, lists have items, tuples follow draft 2020-12, and propertyNames is omitted", () => {
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

test("a root without members has empty properties", () => {
  expect(providerSchema({ type: "object" })).toEqual({ type: "object", properties: {} });
});
