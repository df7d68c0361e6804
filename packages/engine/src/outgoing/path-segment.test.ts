import { cases } from "@procedo-testing/tiers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodePathSegment, targetUrl } from "./path-segment.ts";

const refused = expect.objectContaining({ code: "invalid_input", sent: "no" });

describe("a path parameter that could leave its segment is refused", () => {
  test.each([
    "..",
    ".",
    "%2e%2e",
    "%2E.",
    "%252e%252e",
    "%25252e%25252e",
    "..%2f..",
    "..%252f..",
    "a/../../b",
    "a/./b",
    "a\\..\\b",
    "..\\",
    "a%5c..%5cb",
    "../",
    "..;",
    "..;x=1/admin",
    ".. ",
    "..%20",
    "..%00",
    "．．",
    "‥",
    "a\u0000b",
    "a\r\nb",
    "a%0d%0ab",
    "\ud800",
    "",
    null,
    undefined,
    ["a"],
    { a: 1 },
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ])("%j", (value) => {
    expect(() => encodePathSegment("id", value)).toThrow(refused);
  });

  test("when it has 10 kB", () => {
    expect(() => encodePathSegment("id", "x".repeat(10_240))).toThrow(refused);
    expect(() => encodePathSegment("id", "%25".repeat(600))).not.toThrow();
  });

  test("with the parameter's name and without its value", () => {
    expect(() => encodePathSegment("id", "../hunter2")).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^(?!.*hunter2).*"id"/) }),
    );
  });
});

describe("any other value stays one segment", () => {
  test.each([
    ["inv_42", "inv_42"],
    ["a?x=1", "a%3Fx%3D1"],
    ["a#f", "a%23f"],
    ["a;b", "a%3Bb"],
    ["a/b", "a%2Fb"],
    ["a\\b", "a%5Cb"],
    ["100%", "100%25"],
    ["%41", "%2541"],
    ["..a", "..a"],
    ["...", "..."],
    ["v1.2", "v1.2"],
    ["Zürich", "Z%C3%BCrich"],
    ["a b", "a%20b"],
    ["a@b:c", "a%40b%3Ac"],
    [42, "42"],
    [0, "0"],
    [true, "true"],
  ])("%j becomes %s", (value, segment) => {
    expect(encodePathSegment("id", value)).toBe(segment);
    const url = new URL(`https://api.example.com/v1/things/${segment}/notes`);
    expect(url.pathname.split("/")).toHaveLength(5);
    expect(url.pathname).toMatch(/^\/v1\/things\/[^/]+\/notes$/);
    expect(url.search + url.hash).toBe("");
  });
});

test("hostile values are refused or stay in their segment, however often they are decoded", () => {
  const piece = fc.constantFrom(
    "..",
    ".",
    "/",
    "\\",
    "%2e",
    "%2F",
    "%5c",
    "%25",
    "2e",
    ";",
    "?",
    "#",
    "@",
    ":",
    " ",
    "a",
    "ä",
    "．",
    "\u0000",
    "%00",
  );
  const value = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(value, (id) => {
      let url: URL;
      try {
        url = targetUrl({ baseUrl: "https://api.example.com/v1", template: "/things/{id}/notes", parameters: { id } });
      } catch (error) {
        expect(error).toEqual(refused);
        return;
      }
      expect(url.origin).toBe("https://api.example.com");
      const [, version, things, segment = "", notes, ...more] = url.pathname.split("/");
      expect([version, things, notes, more, url.search, url.hash]).toEqual(["v1", "things", "notes", [], "", ""]);
      let decoded = segment;
      for (let round = 0; round < 10; round++) {
        expect(decoded.split(/[/\\]/)).not.toContain("..");
        expect(decoded.split(/[/\\]/)).not.toContain(".");
        decoded = unescape(decoded);
      }
    }),
    { numRuns: cases({ commit: 300, nightly: 30_000, release: 300_000 }) },
  );
});

describe("the URL of an operation stays below its base", () => {
  const baseUrl = "https://api.example.com/v1/";

  test("base and template are joined with one slash", () => {
    const template = "/customers/{id}/notes/{note}";
    const parameters = { id: "c/1", note: 7 };
    const expected = "https://api.example.com/v1/customers/c%2F1/notes/7";
    expect(targetUrl({ baseUrl, template, parameters }).href).toBe(expected);
    expect(targetUrl({ baseUrl: baseUrl.slice(0, -1), template: template.slice(1), parameters }).href).toBe(expected);
    expect(targetUrl({ baseUrl: "https://h", template: "/", parameters }).href).toBe("https://h/");
  });

  test.each([
    ["/../admin", {}],
    ["/a/%2e%2e/%2e%2e/b", {}],
    ["/a/./b", {}],
    ["/a\\..\\b", {}],
    ["/a?x=1", {}],
    ["/a#b", {}],
    ["/{id}", {}],
    ["/{id}", { id: ".." }],
    ["/.{id}", { id: "." }],
    ["/{a}{b}", { a: "%2e", b: "%2e" }],
    ["/{toString}", {}],
    ["/{__proto__}", {}],
  ])("%s with %j is refused", (template, parameters) => {
    expect(() => targetUrl({ baseUrl, template, parameters })).toThrow(refused);
  });

  test("a template cannot change the origin", () => {
    expect(targetUrl({ baseUrl: "https://h", template: "//evil.example/x", parameters: {} }).origin).toBe("https://h");
    expect(targetUrl({ baseUrl: "https://h", template: "@evil.example/x", parameters: {} }).origin).toBe("https://h");
  });
});
