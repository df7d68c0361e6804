import type { JsonValue } from "@procedo/contract";
import fc from "fast-check";
import { cases } from "@procedo-testing/tiers";
import { describe, expect, test } from "vitest";
import { pairsOf, pathText, simpleText, type Style } from "./parameter-styles.ts";
import { encodePathPart } from "./path-segment.ts";
import { asItIs, encodeStrictly } from "./percent-encoding.ts";

const refused = expect.objectContaining({ code: "invalid_input", sent: "no" });

function style(name: Style["style"], explode: boolean, allowReserved = false): Style {
  return { kind: "style", style: name, explode, allowReserved };
}

function query(value: JsonValue | undefined, how: Style, name = "color"): string {
  return pairsOf(name, value, how)
    .map(([written, text]) => `${written}=${text}`)
    .join("&");
}

const values = { empty: "", string: "blue", array: ["blue", "black", "brown"], object: { R: 100, G: 200, B: 150 } };

describe("the styles of OpenAPI 3.0 (4.7.12.2 Style Examples)", () => {
  test.each([
    ["form", false, "color=", "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"],
    ["form", true, "color=", "color=blue", "color=blue&color=black&color=brown", "R=100&G=200&B=150"],
    ["spaceDelimited", false, undefined, undefined, "color=blue%20black%20brown", "color=R%20100%20G%20200%20B%20150"],
    ["pipeDelimited", false, undefined, undefined, "color=blue%7Cblack%7Cbrown", "color=R%7C100%7CG%7C200%7CB%7C150"],
    ["deepObject", true, undefined, undefined, undefined, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"],
    // Swagger 2.0's tsv
    ["tabDelimited", false, undefined, undefined, "color=blue%09black%09brown", undefined],
  ] as const)("%s in a query, explode %j", (name, explode, empty, string, array, object) => {
    const how = style(name, explode);
    if (empty !== undefined) expect(query(values.empty, how)).toBe(empty);
    if (string !== undefined) expect(query(values.string, how)).toBe(string);
    if (array !== undefined) expect(query(values.array, how)).toBe(array);
    if (object !== undefined) expect(query(values.object, how)).toBe(object);
  });

  test.each([
    ["matrix", false, ";color", ";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"],
    ["matrix", true, ";color", ";color=blue", ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"],
    // From RFC 6570, 3.2.5, and OpenAPI 3.0.4. The table of 3.0.3 has dots here and contradicts the RFC.
    ["label", false, ".", ".blue", ".blue,black,brown", ".R,100,G,200,B,150"],
    ["label", true, ".", ".blue", ".blue.black.brown", ".R=100.G=200.B=150"],
    ["simple", false, "", "blue", "blue,black,brown", "R,100,G,200,B,150"],
    ["simple", true, "", "blue", "blue,black,brown", "R=100,G=200,B=150"],
  ] as const)("%s in a path, explode %j", (name, explode, empty, string, array, object) => {
    const how = style(name, explode);
    const written = Object.values(values).map((value) => pathText("color", value, how, encodePathPart));
    expect(written).toEqual([empty, string, array, object]);
  });

  test.each([
    [false, "blue", "blue,black,brown", "R,100,G,200,B,150"],
    [true, "blue", "blue,black,brown", "R=100,G=200,B=150"],
  ] as const)("simple in a header, explode %j", (explode, string, array, object) => {
    const { empty: _, ...others } = values;
    const written = Object.values(others).map((value) => simpleText("color", value, explode, asItIs));
    expect(written).toEqual([string, array, object]);
  });
});

describe("RFC 6570's own examples", () => {
  const list = ["red", "green", "blue"];
  const keys = { semi: ";", dot: ".", comma: "," };
  test.each([
    ["{/list} simple", pathText("list", list, style("simple", false), encodePathPart), "red,green,blue"],
    ["{keys}", pathText("keys", keys, style("simple", false), encodeStrictly), "semi,%3B,dot,.,comma,%2C"],
    ["{keys*}", simpleText("keys", { semi: ";", comma: "%2C" }, true, asItIs), "semi=;,comma=%2C"],
    [
      "{;hello:5}",
      pathText("hello", "Hello World!", style("matrix", false), encodePathPart),
      ";hello=Hello%20World%21",
    ],
    ["{;list*}", pathText("list", list, style("matrix", true), encodePathPart), ";list=red;list=green;list=blue"],
    ["{.list*}", pathText("list", list, style("label", true), encodePathPart), ".red.green.blue"],
    ["{?list}", query(list, style("form", false), "list"), "list=red,green,blue"],
    ["{?list*}", query(list, style("form", true), "list"), "list=red&list=green&list=blue"],
    ["{?keys}", query(keys, style("form", false), "keys"), "keys=semi,%3B,dot,.,comma,%2C"],
    ["{?keys*}", query(keys, style("form", true), "keys"), "semi=%3B&dot=.&comma=%2C"],
    ["{?half}", query("50%", style("form", true), "half"), "half=50%25"],
  ])("%s", (_name, written, expected) => {
    expect(written).toBe(expected);
  });
});

describe("values that a style cannot express", () => {
  test("null, empty lists, empty objects and nested nulls are not sent", () => {
    for (const name of ["form", "spaceDelimited", "pipeDelimited", "deepObject"] as const) {
      for (const nothing of [null, undefined, [], {}, [null], { a: null }]) {
        expect(pairsOf("x", nothing, style(name, true))).toEqual([]);
      }
    }
    expect(query([1, null, 2], style("form", false), "x")).toBe("x=1,2");
    expect(query({ a: null, b: false }, style("deepObject", true), "x")).toBe("x%5Bb%5D=false");
    expect(pathText("x", null, style("matrix", true), encodePathPart)).toBe("");
    expect(simpleText("x", null, false, asItIs)).toBeUndefined();
  });

  test("nested values use brackets in name-value pairs", () => {
    const filter = { created: { gte: 1, lt: 2 }, tags: ["a", "b"], "a b": "c&d" };
    const brackets =
      "%5Bcreated%5D%5Bgte%5D=1 %5Bcreated%5D%5Blt%5D=2 %5Btags%5D%5B0%5D=a %5Btags%5D%5B1%5D=b %5Ba%20b%5D=c%26d";
    expect(query(filter, style("deepObject", true), "f")).toBe(
      brackets
        .split(" ")
        .map((pair) => `f${pair}`)
        .join("&"),
    );
    expect(query(["a", "b"], style("deepObject", true), "expand")).toBe("expand%5B0%5D=a&expand%5B1%5D=b");
    expect(query([{ price: "p", quantity: 2 }], style("form", true), "items")).toBe(
      "items%5B0%5D%5Bprice%5D=p&items%5B0%5D%5Bquantity%5D=2",
    );
    expect(query({ a: { b: 1 }, c: 2 }, style("form", true), "x")).toBe("a%5Bb%5D=1&c=2");
  });

  test.each(["form", "spaceDelimited", "pipeDelimited"] as const)(
    "nested values are rejected where %s joins items",
    (name) => {
      expect(() => query([["a"]], style(name, false))).toThrow(refused);
      expect(() => query({ a: { b: 1 } }, style(name, false))).toThrow(refused);
    },
  );

  test("nested values are rejected in paths and headers", () => {
    for (const name of ["simple", "label", "matrix"] as const) {
      for (const explode of [true, false]) {
        expect(() => pathText("x", [{ a: 1 }], style(name, explode), encodePathPart)).toThrow(refused);
      }
    }
    expect(() => simpleText("x", { a: [1] }, true, asItIs)).toThrow(refused);
  });
});

describe("a separator inside a value", () => {
  test("is escaped where there is an escape", () => {
    expect(query(["a,b", "c"], style("form", false))).toBe("color=a%2Cb,c");
    expect(pathText("x", ["a,b", "c"], style("simple", false), encodePathPart)).toBe("a%2Cb,c");
    expect(pathText("x", ["a;b", "c"], style("matrix", true), encodePathPart)).toBe(";x=a%3Bb;x=c");
  });

  test.each([
    ["spaceDelimited", ["a b"], " "],
    ["pipeDelimited", ["a|b", "c"], "|"],
    ["tabDelimited", ["a\tb"], "\t"],
  ] as const)("is refused where it would be read as two: %s of %j", (name, value, separator) => {
    expect(() => query(value, style(name, false))).toThrow(
      expect.objectContaining({
        code: "invalid_input",
        message: expect.stringContaining(JSON.stringify(separator)) as string,
      }),
    );
  });

  test("is rejected in a header and in a label", () => {
    expect(() => simpleText("x", ["a,b"], false, asItIs)).toThrow(refused);
    expect(() => simpleText("x", { "a=b": "c" }, true, asItIs)).toThrow(refused);
    expect(() => pathText("x", ["1.5", "2"], style("label", true), encodePathPart)).toThrow(refused);
    expect(simpleText("x", "a,b", false, asItIs)).toBe("a,b");
  });
});

describe("allowReserved", () => {
  const how = style("form", true, true);
  test("keeps reserved characters that end neither the value nor the query", () => {
    expect(query("https://a.b/c?d=e;f@g!$(h)*", how)).toBe("color=https://a.b/c?d=e;f@g!$(h)*");
    expect(query("a&b=c#d+e[f]%41 ü'", how)).toBe("color=a%26b=c%23d%2Be%5Bf%5D%2541%20%C3%BC%27");
  });

  test("still separates the items of a list", () => {
    expect(query(["a,b", "c/d"], style("form", false, true))).toBe("color=a%2Cb,c/d");
  });
});

test("a lone surrogate is rejected with the parameter's name", () => {
  for (const name of ["form", "deepObject"] as const) {
    expect(() => query({ a: "\ud800" }, style(name, true))).toThrow(
      expect.objectContaining({ message: expect.stringContaining('"color"') as string }),
    );
  }
});

test("a server parses a query into the given values, for every reversible style", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 12 });
  const member = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 6 })
    .filter((name) => !/[[\]]|__proto__/.test(name));
  const scalar = fc.oneof(text, fc.integer(), fc.boolean());
  const reserved = fc.boolean();
  fc.assert(
    fc.property(
      text,
      fc.array(scalar, { minLength: 1, maxLength: 4 }),
      fc.dictionary(member, scalar),
      reserved,
      (one, list, object, allow) => {
        const read = (value: JsonValue, how: Style) => [...new URLSearchParams(query(value, how, "na me"))];
        expect(read(one, style("form", true, allow))).toEqual([["na me", one]]);
        expect(read(list, style("form", true, allow))).toEqual(list.map((item) => ["na me", String(item)]));
        const members = Object.entries(object);
        expect(read(object, style("form", true, allow))).toEqual(members.map(([name, value]) => [name, String(value)]));
        expect(read(object, style("deepObject", true, allow))).toEqual(
          members.map(([name, value]) => [`na me[${name}]`, String(value)]),
        );
        const whole = query(list, style("form", false, allow), "n").slice("n=".length);
        expect(whole.split(",").map((item) => decodeURIComponent(item))).toEqual(list.map(String));
      },
    ),
    { numRuns: cases({ commit: 200, nightly: 5_000, release: 50_000 }) },
  );
});
