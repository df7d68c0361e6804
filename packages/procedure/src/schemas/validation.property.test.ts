import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { JsonObject, JsonValue } from "@procedo/contract";
import { compileSchema } from "./compile-schema.ts";

const names = ["a", "b", "c"];
const { schema, value } = fc.letrec<{ schema: JsonObject; list: JsonObject[]; map: JsonObject; value: JsonValue }>(
  (tie) => {
    const count = fc.integer({ min: 0, max: 3 });
    const inner = tie("schema");
    return {
      value: fc.oneof(
        { maxDepth: 3, depthSize: "small" },
        fc.constantFrom<JsonValue>(0, 1, 2, 2.5, "", "a", "bb", true, null),
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(fc.constantFrom(...names), tie("value"), { maxKeys: 3, noNullPrototype: true }),
      ),
      list: fc.array(inner, { minLength: 1, maxLength: 3 }),
      map: fc.dictionary(fc.constantFrom(...names), inner, { maxKeys: 2, noNullPrototype: true }),
      schema: fc.oneof(
        { maxDepth: 4, depthSize: "small" },
        fc.constantFrom<JsonObject>(
          { type: "string" },
          { type: ["integer", "null"] },
          { type: "array" },
          { $ref: "#/$defs/target" },
          { const: [1] },
          { enum: [1, "a", { a: 1 }] },
          { minLength: 2 },
          { multipleOf: 2 },
          { pattern: "^b" },
          { uniqueItems: true },
          {},
        ),
        fc.record(
          {
            type: fc.constantFrom("object", "array", "string"),
            properties: tie("map"),
            patternProperties: fc.record({ "^[ab]$": inner }),
            additionalProperties: fc.oneof(inner, fc.boolean()),
            propertyNames: inner,
            required: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 }),
            minProperties: count,
            dependentSchemas: tie("map"),
            dependentRequired: fc.constant({ a: ["b"] }),
            items: fc.oneof(inner, fc.boolean()),
            prefixItems: tie("list"),
            contains: inner,
            minContains: count,
            maxContains: count,
            unevaluatedItems: fc.oneof(inner, fc.constant(false)),
            unevaluatedProperties: fc.oneof(inner, fc.constant(false)),
            anyOf: tie("list"),
            oneOf: tie("list"),
            allOf: tie("list"),
            not: inner,
            if: inner,
            then: inner,
            else: inner,
          },
          { requiredKeys: [] },
        ),
      ) as fc.Arbitrary<JsonObject>,
    };
  },
);

it("a value fits a schema exactly when it fits without anything being counted", () => {
  fc.assert(
    fc.property(schema, schema, fc.array(value, { minLength: 1, maxLength: 6 }), (root, target, values) => {
      const whole = { ...root, $defs: { target } };
      const compiled = compileSchema(whole);
      // A circle that never ends is refused.
      if (!compiled.ok) return;
      const plain = new Ajv2020({
        strict: false,
        strictNumbers: true,
        logger: false,
        validateSchema: false,
        meta: false,
        ownProperties: true,
      });
      const fits = plain.compile(whole);
      for (const one of values) {
        expect(compiled.validator.validate(one).length === 0, JSON.stringify({ whole, one })).toBe(fits(one));
      }
    }),
    { numRuns: 300, endOnFailure: true },
  );
});
