import type { JsonObject, JsonValue } from "@procedo/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withinBytes } from "./prompt-data.ts";

const text = (length: number): string => "x".repeat(length);
const bytesOf = (value: JsonValue): number => Buffer.byteLength(JSON.stringify(value));

describe("data that is too large", () => {
  test("is shown whole as long as it fits, to the byte", () => {
    const data = { a: text(100), b: [1, 2, 3] };
    expect(withinBytes(data, bytesOf(data))).toEqual({ data, leftOut: [] });
    expect(withinBytes(data, bytesOf(data) - 1).leftOut).toHaveLength(1);
  });

  test("loses its largest member first, and keeps the others in their order", () => {
    const data = { z: text(50), big: text(5_000), a: text(500) };
    expect(withinBytes(data, 1_000)).toEqual({ data: { z: text(50), a: text(500) }, leftOut: ["/big: 5002 bytes"] });
  });

  test("shows large values in part: the first items of a list, the small members of an object", () => {
    const rows = Array.from({ length: 1_000 }, (_row, index) => ({ index }));
    const { data, leftOut } = withinBytes({ kept: 1, nested: { rows, scan: text(9_000), note: "n" } }, 2_000);
    const shown = (data as { readonly nested: { readonly rows: readonly JsonValue[] } }).nested.rows;
    expect(data).toEqual({ kept: 1, nested: { rows: rows.slice(0, shown.length), note: "n" } });
    expect(shown.length).toBeGreaterThan(100);
    expect(leftOut).toEqual([
      "/nested/scan: 9002 bytes",
      `/nested/rows: the last ${1_000 - shown.length} of 1000 items`,
    ]);
  });

  test("of one single value is left out as a whole", () => {
    expect(withinBytes(text(1_000), 100)).toEqual({ data: null, leftOut: ["/: 1002 bytes"] });
  });

  test("lists 40 omitted places and counts the others, with long paths cut", () => {
    const data = Object.fromEntries(Array.from({ length: 60 }, (_one, index) => [`${text(300)}${index}`, text(1_000)]));
    const { leftOut } = withinBytes(data, 300);
    expect(leftOut).toHaveLength(41);
    expect(leftOut.at(-1)).toBe("20 more places");
    for (const place of leftOut) expect(place.length).toBeLessThan(200);
  });

  test("is measured a few times at most, at any depth", () => {
    let looks = 0;
    const leaf = new Proxy<Record<string, JsonValue>>(
      { rows: Array.from({ length: 100 }, () => text(20)) },
      {
        ownKeys: (target) => {
          looks += 1;
          return Reflect.ownKeys(target);
        },
      },
    );
    let data: JsonValue = leaf;
    for (let level = 0; level < 50; level++) data = { deeper: data, beside: level };
    expect(withinBytes(data, 2_000).leftOut).toHaveLength(1);
    expect(looks).toBeLessThan(5);
  });

  test("of any shape is cut to fit, deterministically, and contains only original values", () => {
    const member = fc.oneof(fc.string({ maxLength: 400 }), fc.jsonValue({ maxDepth: 4 }));
    const values = fc.dictionary(fc.string({ maxLength: 20 }), member, { maxKeys: 12 });
    fc.assert(
      fc.property(values, fc.integer({ min: 2, max: 3_000 }), (given, maxBytes) => {
        const data = JSON.parse(JSON.stringify(given)) as JsonObject;
        const shown = withinBytes(data, maxBytes);
        if (shown.data !== null) expect(bytesOf(shown.data)).toBeLessThanOrEqual(maxBytes);
        expect(withinBytes(data, maxBytes)).toEqual(shown);
        expect(shown.leftOut.length === 0).toBe(bytesOf(data) <= maxBytes);
        expect(isPartOf(shown.data, data)).toBe(true);
      }),
    );
  });
});

/** Whether `part` equals `whole` except for omitted members and omitted last items. */
function isPartOf(part: JsonValue, whole: JsonValue): boolean {
  if (part === null) return true;
  if (typeof part !== "object" || typeof whole !== "object" || whole === null) return part === whole;
  if (Array.isArray(part)) {
    const [items, all] = [part as readonly JsonValue[], whole as readonly JsonValue[]];
    return Array.isArray(whole) && items.every((item, index) => isPartOf(item, all[index] ?? null));
  }
  const [own, others] = [part as JsonObject, whole as JsonObject];
  return Object.keys(own).every(
    (name) => Object.hasOwn(others, name) && isPartOf(own[name] ?? null, others[name] ?? null),
  );
}
