import { describe, expect, it } from "vitest";
import type { JsonObject } from "@procedo/contract";
import { createReferences } from "./references.ts";

const resolve = (root: JsonObject, ref: unknown) => createReferences(root).resolve(ref as string);

describe("a reference", () => {
  const root: JsonObject = {
    paths: { "/a b/{id}": { get: [{ x: 1 }, "two"] } },
    schemas: { "List%3CA%3E": { w: 4 }, "a~b": { y: 2 }, "50%": {}, link: { $ref: "#/schemas/a~0b" }, "": { z: 3 } },
  };

  it.each([
    ["#", root, ""],
    ["#/schemas/a~0b", { y: 2 }, "/schemas/a~0b"],
    ["#/schemas/link", { y: 2 }, "/schemas/a~0b"],
    ["#/schemas/50%", {}, "/schemas/50%"],
    ["#/schemas/50%25", {}, "/schemas/50%"],
    ["#/schemas/", { z: 3 }, "/schemas/"],
    ["#/schemas/List%3CA%3E", { w: 4 }, "/schemas/List%3CA%3E"],
    ["#/schemas/List%253CA%253E", { w: 4 }, "/schemas/List%3CA%3E"],
    ["#/paths/~1a%20b~1{id}/get/0", { x: 1 }, "/paths/~1a b~1{id}/get/0"],
    ["#/paths/~1a b~1%7Bid%7D/get/1", "two", "/paths/~1a b~1{id}/get/1"],
    ["#/schemas/link/y", 2, "/schemas/a~0b/y"],
  ])("%s returns its target and the target's place", (ref, value, pointer) => {
    expect(resolve(root, ref)).toEqual({ ok: true, value, pointer });
  });

  it.each([
    ["#/schemas/missing", /leads to nothing/],
    ["#/schemas/constructor", /leads to nothing/],
    ["#/schemas/__proto__", /leads to nothing/],
    ["#/paths/~1a b~1{id}/get/2", /leads to nothing/],
    ["#/paths/~1a b~1{id}/get/00", /leads to nothing/],
    ["#/paths/~1a b~1{id}/get/length", /leads to nothing/],
    ["#/schemas/~2", /not a JSON pointer/],
    ["#/schemas/a~", /not a JSON pointer/],
    ["#Name", /not a JSON pointer/],
    ["Name", /leads out of the document/],
    ["", /leads out of the document/],
    ["other.yaml#/schemas/a", /leads out of the document/],
    ["https://example.com/a.json", /leads out of the document/],
    ["//example.com/a.json", /leads out of the document/],
    ["file:///etc/passwd", /leads out of the document/],
    [42, /must be text/],
    [null, /must be text/],
  ])("%j is rejected with the reason", (ref, message) => {
    expect(resolve(root, ref)).toEqual({ ok: false, message: expect.stringMatching(message) });
  });

  it("that leads in a circle is rejected, also through other references", () => {
    expect(resolve({ a: { $ref: "#/b" }, b: { $ref: "#/a" } }, "#/a")).toEqual({
      ok: false,
      message: expect.stringMatching(/in a circle/),
    });
    expect(resolve({ a: { $ref: "#/a" } }, "#/a").ok).toBe(false);
    expect(resolve({ a: { $ref: "#/a/x" } }, "#/a/x").ok).toBe(false);
  });

  it("in a chain of a hundred thousand links is followed to its end", () => {
    const chain = Array.from({ length: 100_000 }, (_, link): [string, JsonObject] => [
      `c${link}`,
      { $ref: `#/c${link + 1}` },
    ]);
    const references = createReferences({ ...Object.fromEntries(chain), c100000: { end: true } });
    expect(references.resolve("#/c0")).toEqual({ ok: true, value: { end: true }, pointer: "/c100000" });
    // Each link was cached on the way.
    expect(references.resolve("#/c99")).toEqual({ ok: true, value: { end: true }, pointer: "/c100000" });
  });

  it("is followed only from an object with a `$ref`", () => {
    const references = createReferences(root);
    expect(references.follow({ a: 1 }, "/x")).toEqual({ ok: true, value: { a: 1 }, pointer: "/x" });
    expect(references.follow("text", "/x")).toEqual({ ok: true, value: "text", pointer: "/x" });
    expect(references.follow({ $ref: "#/schemas/a~0b" }, "/x")).toMatchObject({ ok: true, pointer: "/schemas/a~0b" });
    expect(references.follow({ $ref: 1 }, "/x").ok).toBe(false);
  });
});
