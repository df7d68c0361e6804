import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { copyJson, exceeds, maxContainers, ownCopy } from "./json-copy.ts";

const limits = { depth: 64, bytes: 1_000_000 };

function valueOf(value: unknown): unknown {
  const copy = copyJson(value, limits);
  if (!copy.ok) throw new Error(copy.message);
  return copy.value;
}

describe("copying a value of other code", () => {
  test("has the same result as a conversion to JSON and back", () => {
    const made = fc.oneof(fc.object({ withDate: true, withNullPrototype: true, maxDepth: 5 }), fc.jsonValue());
    fc.assert(
      fc.property(made, (value) => {
        const copy = copyJson(value, limits);
        let text: string | undefined;
        try {
          text = JSON.stringify(value);
        } catch {
          text = undefined;
        }
        // The copy is refused where JSON would lose something silently; all other copies have the same JSON text.
        if (copy.ok) expect(JSON.stringify(copy.value)).toBe(text ?? "null");
      }),
      { numRuns: 2_000 },
    );
  });

  test("accepts every JSON value and returns an equal one", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        if (JSON.stringify(value).includes('"__proto__"')) return;
        expect(valueOf(value)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 1_000 },
    );
  });

  test("is deep: later changes of the original do not affect the copy", () => {
    const given = { list: [{ n: 1 }] };
    const copy = valueOf(given) as typeof given;
    given.list.push({ n: 2 });
    const [first] = given.list;
    if (first !== undefined) first.n = 9;
    expect(copy).toEqual({ list: [{ n: 1 }] });
  });

  test.each([
    ["undefined", undefined, null],
    ["members that are undefined are left out", { a: undefined, b: 1 }, { b: 1 }],
    ["undefined in a list is null", [undefined, 1], [null, 1]],
    ["a hole in a list is null", Array(2), [null, null]],
    ["a date by its toJSON", { at: new Date(0) }, { at: "1970-01-01T00:00:00.000Z" }],
    [
      "an object of a class by its own members",
      new (class {
        readonly a = 1;
      })(),
      { a: 1 },
    ],
    ["a toJSON that gives another object", { toJSON: () => ({ toJSON: () => 5 }) }, { toJSON: undefined }],
  ])("%s", (name, value, expected) => {
    if (name.startsWith("a toJSON")) expect(copyJson(value, limits)).toMatchObject({ ok: true });
    else expect(valueOf(value)).toEqual(expected);
  });

  test("converts minus zero to zero, as a journal does", () => {
    expect(Object.is((valueOf({ n: -0 }) as { n: number }).n, 0)).toBe(true);
  });

  test.each([
    ["a BigInt", { a: [1n] }, "bigint at /a/0"],
    ["NaN", { a: NaN }, "NaN at /a"],
    ["an infinity", [Infinity], "Infinity at /0"],
    ["a function", { a: () => 1 }, "function at /a"],
    ["a symbol", { a: Symbol("x") }, "symbol at /a"],
    ["a member named __proto__", { a: JSON.parse('{"__proto__":1}') as object }, '"__proto__" at /a'],
  ])("refuses %s with its position", (_name, value, message) => {
    expect(copyJson(value, limits)).toEqual({ ok: false, message: expect.stringContaining(message) as string });
  });

  test("refuses nesting beyond the limit, with the limit in the message, and cycles", () => {
    const cycle: { self?: object } = {};
    cycle.self = cycle;
    const endless = {
      toJSON() {
        return this;
      },
    };
    for (const value of [cycle, endless, nested(8), JSON.parse("[".repeat(50_000) + "]".repeat(50_000))]) {
      expect(copyJson(value, { depth: 7, bytes: 1_000_000 })).toEqual({
        ok: false,
        message: expect.stringMatching(/\b7\b/) as string,
      });
    }
    expect(copyJson(nested(7), { depth: 7, bytes: 1_000_000 }).ok).toBe(true);
  });

  test("counts bytes of the JSON text exactly: a limit of one byte less is exceeded, with both numbers", () => {
    for (const value of [
      { text: "é".repeat(50) },
      { text: "\u0000".repeat(50) },
      [1.7976931348623157e308, true, null, "x"],
      { "a\nb": [[], {}] },
      "😀\ud800",
    ]) {
      const bytes = Buffer.byteLength(JSON.stringify(value));
      expect(copyJson(value, { depth: 64, bytes }).ok).toBe(true);
      expect(copyJson(value, { depth: 64, bytes: bytes - 1 })).toEqual({
        ok: false,
        message: `has ${bytes} bytes; the limit is ${bytes - 1} bytes`,
      });
    }
  });

  test.each([
    ["empty objects in a list", (count: number) => Array.from({ length: count - 1 }, () => ({}))],
    ["lists in an object", (count: number) => ({ in: Array.from({ length: count - 2 }, () => []) })],
    ["one object that stands many times", (count: number) => Array<object>(count - 1).fill({})],
  ])("accepts %s up to the limit of objects and lists, and refuses one more with the limit", (_name, of) => {
    const wide = { depth: 64, bytes: 4 * 1024 * 1024 };
    const message = "has more than the limit of 262144 objects and lists";
    expect(copyJson(of(maxContainers), wide).ok).toBe(true);
    expect(exceeds(of(maxContainers) as never, wide)).toBeUndefined();
    expect(copyJson(of(maxContainers + 1), wide)).toEqual({ ok: false, message });
    expect(exceeds(of(maxContainers + 1) as never, wide)).toBe(message);
  });

  test("never accepts more bytes than the limit", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.integer({ min: 1, max: 400 }), (value, bytes) => {
        const copy = copyJson(value, { depth: 64, bytes });
        if (copy.ok) expect(Buffer.byteLength(JSON.stringify(copy.value))).toBeLessThanOrEqual(bytes);
        else if (!copy.message.includes("__proto__"))
          expect(Buffer.byteLength(JSON.stringify(value))).toBeGreaterThan(bytes);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("checking the limits of a JSON value", () => {
  test("has the same result as copying it", () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 6 }),
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 1, max: 6 }),
        (value, bytes, depth) => {
          const json = JSON.parse(JSON.stringify(value)) as never;
          if (JSON.stringify(json).includes('"__proto__"')) return;
          expect(exceeds(json, { depth, bytes }) === undefined).toBe(copyJson(json, { depth, bytes }).ok);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = { n: value };
  return value;
}

test("members of a polluted Object.prototype are neither copied nor counted", () => {
  const value = { sum: 1, to: { name: "ann" } };
  const made = onPollutedPrototype(() => {
    const copies = [ownCopy(value), valueOf(value) as typeof value];
    const own = copies.map((copy) => [Object.hasOwn(copy, "account"), Object.hasOwn(copy.to, "account")]);
    return { own, problem: exceeds(value, { depth: 2, bytes: 100 }) };
  });
  const neither = [false, false];
  expect(made).toEqual({ own: [neither, neither], problem: undefined });
});

function onPollutedPrototype<T>(work: () => T): T {
  const account = { value: { of: { somebody: "else" } }, enumerable: true, configurable: true, writable: true };
  Object.defineProperty(Object.prototype, "account", account);
  try {
    return work();
  } finally {
    Reflect.deleteProperty(Object.prototype, "account");
  }
}
