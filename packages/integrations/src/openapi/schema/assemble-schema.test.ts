import { describe, expect, it } from "vitest";
import type { JsonObject } from "@procedo/contract";
import { weightOf } from "./schema-bounds.ts";
import { accepts, translated } from "./schema-fixtures.fixture.ts";

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const cut = { description: expect.stringMatching(/exceeds the limit/) };

describe("an assembled schema", () => {
  const chain: Record<string, JsonObject> = { S99: { type: "object" } };
  for (let link = 0; link < 99; link += 1) {
    chain[`S${link}`] = { type: "object", required: [`n${link}`], properties: { [`n${link}`]: ref(`S${link + 1}`) } };
  }

  it("keeps the nearest parts within its weight, and accepts any value beyond them", () => {
    const { schema } = translated(ref("S0"), { schemas: chain, bounds: { values: 100 } });
    expect(weightOf(schema)).toBeLessThanOrEqual(110);
    const $defs = schema["$defs"] as JsonObject;
    expect($defs["S1"]).toEqual(chain["S1"] && { ...chain["S1"], properties: { n1: { $ref: "#/$defs/S2" } } });
    expect(Object.values($defs).at(-1)).toEqual(cut);
    expect(accepts(schema, { n0: { n1: { n2: {} } } })).toBe(false);
    expect(accepts(schema, { n0: {} })).toBe(false);
  });

  it("contains only the definitions that it reaches", () => {
    const { schema } = translated(ref("S98"), { schemas: chain });
    expect(schema).toMatchObject({ required: ["n98"], $defs: { S99: { type: "object" } } });
    expect(Object.keys(schema["$defs"] as JsonObject)).toEqual(["S99"]);
    expect(translated({ type: "string" }, { schemas: chain }).schema).toEqual({ type: "string" });
  });

  it("is cut as deep as possible when it alone exceeds the weight", () => {
    const rows = Array.from({ length: 300 }, (_, index): [string, JsonObject] => [
      `c${index}`,
      { type: "object", properties: { a: { type: "array", items: { type: "string", enum: ["x", "y", "z"] } } } },
    ]);
    const { schema } = translated(
      { type: "object", properties: Object.fromEntries(rows) },
      { bounds: { values: 2_500 } },
    );
    expect(weightOf(schema)).toBeLessThanOrEqual(2_500);
    expect((schema["properties"] as JsonObject)["c7"]).toEqual({ type: "object", properties: { a: cut } });
  });

  it("of forty thousand members is cut as a whole", () => {
    const many = Array.from({ length: 40_000 }, (_, index): [string, JsonObject] => [`c${index}`, {}]);
    expect(translated({ type: "object", properties: Object.fromEntries(many) }).schema).toEqual(cut);
  });

  it("counts long texts, so that a schema also stays small in bytes", () => {
    const long = "x".repeat(100_000);
    const rows = Array.from({ length: 2_000 }, (_, index): [string, JsonObject] => [
      `c${index}`,
      { description: long },
    ]);
    const { schema } = translated({ type: "object", properties: Object.fromEntries(rows) });
    expect(JSON.stringify(schema).length).toBeLessThan(2_500_000);
  });

  it("nests no deeper than the engine compiles, for any document", () => {
    let deep: JsonObject = { type: "string" };
    for (let level = 0; level < 90; level += 1) deep = { nullable: true, allOf: [{ items: deep }] };
    const { schema, problems } = translated(deep);
    expect(problems).toEqual([expect.stringMatching(/^warning \/here\/allOf/)]);
    expect(() => accepts(schema, [])).not.toThrow();
  });
});
