import fc from "fast-check";
import { expect, it } from "vitest";
import type { JsonObject, JsonValue } from "@procedo/contract";
import { fitsDepth } from "@procedo/procedure";
import { accepts, schemaDocument, translatorOf } from "./schema-fixtures.fixture.ts";

const keywords = fc.constantFrom(
  ..."type properties items allOf anyOf oneOf not required enum default example nullable additionalProperties".split(
    " ",
  ),
  ..."minimum exclusiveMinimum maxLength pattern format readOnly discriminator $ref __proto__ description".split(" "),
);
const names = fc.constantFrom("A", "B", "C", "a", "constructor", "__proto__");
const references = names.map((name) => `#/components/schemas/${name}`);
const scalars = fc.oneof(
  fc.constantFrom<JsonValue>("string", "object", "array", "integer", true, false, null, 0, -1, 1.5, "([", "^a$", ""),
  references,
);
/** Any JSON, usually similar to a schema. */
const anything = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    scalars,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.oneof(keywords, names), tie("value"), { maxKeys: 4 }),
  ),
})).value;

it("any JSON in place of schemas is translated to schemas that compile", () => {
  const schemas = fc.dictionary(names, anything, { maxKeys: 3 });
  fc.assert(
    fc.property(
      schemas,
      anything,
      anything,
      fc.constantFrom("request", "response"),
      (defined, schema, value, purpose) => {
        const translator = translatorOf(schemaDocument(defined), purpose);
        const { schema: own, problems } = translator.translate(schema, "/here");
        for (const { pointer, message } of problems)
          expect([pointer, message]).toEqual([expect.any(String), expect.any(String)]);
        const assembled = translator.assemble(own, { values: 300 });
        if (!holdsProto(value)) expect(accepts(assembled, value)).toEqual(expect.any(Boolean));
        const members = translator.membersOf(own);
        expect([...(members?.properties.keys() ?? [])]).not.toContain("__proto__");
      },
    ),
    { numRuns: 400 },
  );
});

/** Well-formed schemas, each with a value that matches by OpenAPI's rules. */
const fitting: fc.Arbitrary<readonly [schema: JsonObject, value: JsonValue]> = fc.letrec<{
  pair: readonly [schema: JsonObject, value: JsonValue];
}>((tie) => ({
  pair: fc.oneof(
    { depthSize: "small" },
    fc
      .integer({ min: 1, max: 99 })
      .map((value) => [{ type: "integer", minimum: 0, exclusiveMinimum: true }, value] as const),
    fc.string({ maxLength: 9 }).map((value) => [{ type: "string", maxLength: 9, example: value }, value] as const),
    fc.constantFrom("EUR", "USD").map((value) => [{ type: "string", enum: ["EUR", "USD"] }, value] as const),
    fc.constant([{ type: "string", nullable: true }, null] as const),
    fc.boolean().map((value) => [{ type: "boolean", default: false }, value] as const),
    tie("pair").map(([schema, value]) => [{ type: "array", items: schema }, [value, value]] as const),
    tie("pair").map(([schema]) => [{ nullable: true, allOf: [schema] }, null] as const),
    tie("pair").map(([schema, value]) => [{ allOf: [schema, { description: "a part" }] }, value] as const),
    tie("pair").map(
      ([schema, value]) => [{ anyOf: [{ type: "array", items: {}, maxItems: 0 }, schema] }, value] as const,
    ),
    fc.tuple(tie("pair"), tie("pair")).map(
      ([[first, value], [second, optional]]) =>
        [
          {
            type: "object",
            required: ["first", "id"],
            properties: { first, second, id: { type: "string", readOnly: true } },
            additionalProperties: false,
          },
          { first: value, second: optional },
        ] as const,
    ),
  ),
})).pair;

it("a value that matches by OpenAPI's rules matches the translation", () => {
  fc.assert(
    fc.property(fitting, ([schema, value]) => {
      const translator = translatorOf(schemaDocument({ Here: schema }));
      const { schema: own, problems } = translator.translate({ $ref: "#/components/schemas/Here" }, "/here");
      fc.pre(fitsDepth(schema, 30));
      expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
      expect(accepts(translator.assemble(own), value)).toBe(true);
    }),
    { numRuns: 400 },
  );
});

/** Values that are rejected before a schema is applied. */
function holdsProto(value: JsonValue): boolean {
  return JSON.stringify(value).includes("__proto__");
}
