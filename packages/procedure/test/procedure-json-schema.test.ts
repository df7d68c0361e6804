import { readFileSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "@procedo-testing/faults";
import { procedureDocumentSchema, jsonSchemaOfProcedure } from "@procedo/contract";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { randomProcedure } from "./random-procedure.ts";
import { vendorPayment } from "./vendor-payment.ts";

const root = join(import.meta.dirname, "../../..");
const readJson = (path: string): unknown => JSON.parse(readFileSync(join(root, path), "utf8"));

const fits = new Ajv2020({ strict: false }).compile(jsonSchemaOfProcedure());

test("the file that the package exports matches the current schema", () => {
  expect(readJson("packages/contract/procedure.schema.json")).toEqual(jsonSchemaOfProcedure());
});

test.each<[string, unknown]>([
  ["vendor-payment", readJson("examples/vendor-payment/vendor-payment.json")],
  ["mailed-payment", readJson("examples/vendor-payment/mailed-payment.json")],
  ["screened-vendor-payment", readJson("examples/private-connection/screened-vendor-payment.json")],
  ["of the tests", vendorPayment()],
])("the example %s matches the schema", (_name, document) => {
  expect(fits(document), JSON.stringify(fits.errors)).toBe(true);
  expect(procedureDocumentSchema.safeParse(document).success).toBe(true);
});

test("every field of a document has a description of its purpose", () => {
  const silent: string[] = [];
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== "object" || value === null) return;
    const { properties } = value as { readonly properties?: Readonly<Record<string, Record<string, unknown>>> };
    for (const [name, property] of Object.entries(properties ?? {})) {
      const isKind = name === "kind" && "const" in property;
      if (!isKind && property["description"] === undefined) silent.push(`${path}/${name}`);
    }
    for (const [name, member] of Object.entries(value)) visit(member, `${path}/${name}`);
  };
  visit(jsonSchemaOfProcedure(), "");
  expect(silent).toEqual([]);
});

const junk = [
  null,
  -1,
  0,
  1,
  1.5,
  1e9,
  "",
  "a",
  "a b",
  "{{ x }}",
  "x".repeat(600),
  true,
  [],
  {},
  [[]],
  { kind: "start" },
];

/** A document with some values replaced, removed or added. */
function mutated(seed: number, size: number, count: number): unknown {
  const random = seededRandom(seed);
  const document: unknown = structuredClone(randomProcedure(seed, size));
  for (let left = count; left > 0; left -= 1) {
    let at = document as Record<string, unknown>;
    for (let depth = random.below(5); depth > 0; depth -= 1) {
      const within = Object.values(at).filter((value) => typeof value === "object" && value !== null);
      if (within.length === 0) break;
      at = random.pick(within) as Record<string, unknown>;
    }
    const names = Object.keys(at);
    if (Array.isArray(at)) at.push(structuredClone(random.pick(junk)));
    else if (random.chance(0.3) && names.length > 0) Reflect.deleteProperty(at, random.pick(names));
    else at[random.pick([...names, "extra", "$schema", "title", "budget"])] = structuredClone(random.pick(junk));
  }
  return document;
}

test("a document matches the schema exactly if its shape is accepted", () => {
  const verdicts = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 2, max: 12 }), fc.integer({ min: 0, max: 3 }), (seed, size, count) => {
      const document = mutated(seed, size, count);
      const isAccepted = procedureDocumentSchema.safeParse(document).success;
      verdicts[isAccepted ? "accepted" : "refused"] += 1;
      expect(fits(document), JSON.stringify(fits.errors)).toBe(isAccepted);
    }),
    { numRuns: 1_000 },
  );
  expect(Math.min(verdicts.accepted, verdicts.refused)).toBeGreaterThan(100);
});
