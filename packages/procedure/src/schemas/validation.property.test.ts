import { Ajv, type Options } from "ajv";
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
        { maxDepth: 3, depthSize: "small" },
        fc.constantFrom<JsonObject>(
          { type: "string" },
          { type: ["integer", "null"] },
          { type: "array" },
          { $ref: "#/$defs/target" },
          { $ref: "#node" },
          { const: [1] },
          { enum: [1, "a", { a: 1 }] },
          { minLength: 2 },
          { multipleOf: 2 },
          { pattern: "^b" },
          { uniqueItems: true },
          {},
        ),
        fc
          .uniqueArray(
            fc.oneof(
              fc.tuple(fc.constant("type"), fc.constantFrom("object", "array", "string")),
              fc.tuple(fc.constant("properties"), tie("map")),
              fc.tuple(fc.constant("patternProperties"), fc.record({ "^[ab]$": inner })),
              fc.tuple(fc.constant("additionalProperties"), fc.oneof(inner, fc.boolean())),
              fc.tuple(fc.constant("propertyNames"), inner),
              fc.tuple(fc.constant("required"), fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 })),
              fc.tuple(fc.constant("minProperties"), count),
              fc.tuple(fc.constant("dependentSchemas"), tie("map")),
              fc.tuple(fc.constant("dependentRequired"), fc.constant({ a: ["b"] })),
              fc.tuple(fc.constant("items"), fc.oneof(inner, fc.boolean())),
              fc.tuple(fc.constant("prefixItems"), tie("list")),
              fc.tuple(fc.constant("contains"), inner),
              fc.tuple(fc.constant("additionalItems"), inner),
              fc.tuple(fc.constant("dependencies"), fc.oneof(tie("map"), fc.constant({ a: ["b"] }))),
              fc.tuple(fc.constant("minContains"), count),
              fc.tuple(fc.constant("maxContains"), count),
              fc.tuple(fc.constant("unevaluatedItems"), fc.oneof(inner, fc.constant(false))),
              fc.tuple(fc.constant("unevaluatedProperties"), fc.oneof(inner, fc.constant(false))),
              fc.tuple(fc.constant("anyOf"), tie("list")),
              fc.tuple(fc.constant("oneOf"), tie("list")),
              fc.tuple(fc.constant("allOf"), tie("list")),
              fc.tuple(fc.constant("not"), inner),
              fc.tuple(fc.constant("if"), inner),
              fc.tuple(fc.constant("then"), inner),
              fc.tuple(fc.constant("else"), inner),
            ),
            { minLength: 1, maxLength: 3, selector: ([keyword]) => keyword },
          )
          .map((members) => Object.fromEntries(members)),
      ) as fc.Arbitrary<JsonObject>,
    };
  },
);

const plainOptions: Options = {
  strict: false,
  strictNumbers: true,
  logger: false,
  validateSchema: false,
  meta: false,
  ownProperties: true,
};
const draft07 = "http://json-schema.org/draft-07/schema#";

/** Tuples in the notation of draft 07. */
function asDraft07(given: JsonValue): JsonValue {
  if (Array.isArray(given)) return (given as readonly JsonValue[]).map(asDraft07);
  if (typeof given !== "object" || given === null) return given;
  const { prefixItems, ...others } = given as JsonObject;
  const members = Object.entries(prefixItems === undefined ? others : { ...others, items: prefixItems }).filter(
    ([name]) => !laterKeywords.includes(name),
  );
  return Object.fromEntries(members.map(([name, member]) => [name, asDraft07(member)]));
}

/** These have no effect in draft 07 and are refused there. */
const laterKeywords = [
  "dependentRequired",
  "dependentSchemas",
  "minContains",
  "maxContains",
  "unevaluatedItems",
  "unevaluatedProperties",
];

it.each(["2020-12", "07"])("a value matches a schema of draft %s exactly if it matches without counting", (draft) => {
  fc.assert(
    fc.property(schema, schema, fc.array(value, { minLength: 1, maxLength: 6 }), (root, target, values) => {
      const newer = { ...root, $defs: { target: { ...target, $anchor: "node" } } };
      const whole = draft === "07" ? { ...(asDraft07(newer) as JsonObject), $schema: draft07 } : newer;
      const compiled = compileSchema(whole);
      // An endless cycle is refused.
      if (!compiled.ok) return;
      const plain = draft === "07" ? new Ajv(plainOptions) : new Ajv2020(plainOptions);
      const fits = plain.compile(whole);
      for (const one of values) {
        const text = JSON.stringify({ whole, one });
        // Beside prefixItems, the library alone accepts an empty list as one that contains something.
        if (text.includes('"contains"') && text.includes("[]")) continue;
        let expected: boolean;
        try {
          expected = fits(one);
        } catch {
          // Tracking evaluated parts fails for some alternatives.
          continue;
        }
        const violations = compiled.validator.validate(one);
        if (violations.some(({ message }) => message.startsWith("cannot be checked"))) continue;
        expect(violations.length === 0, text).toBe(expected);
      }
    }),
    { numRuns: 150, endOnFailure: true },
  );
});
