import { cases } from "@procedo-testing/tiers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodePathPart } from "./path-segment.ts";
import { targetUrl } from "./target-url.ts";

const refused = expect.objectContaining({ code: "invalid_input", sent: "no" });

function urlOf(baseUrl: string, template: string, parameters: Readonly<Record<string, string>>): URL {
  const written = (name: string) =>
    Object.hasOwn(parameters, name) ? encodePathPart(name, parameters[name] ?? "") : "";
  return targetUrl({ baseUrl, template, written });
}

test("hostile values are rejected or stay in their segment after any number of decodings", () => {
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
        url = urlOf("https://api.example.com/v1", "/things/{id}/notes", { id });
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
    const parameters = { id: "c/1", note: "7" };
    const expected = "https://api.example.com/v1/customers/c%2F1/notes/7";
    expect(urlOf(baseUrl, template, parameters).href).toBe(expected);
    expect(urlOf(baseUrl.slice(0, -1), template.slice(1), parameters).href).toBe(expected);
    expect(urlOf("https://h", "/", parameters).href).toBe("https://h/");
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
    ["/{a}.", { a: "." }],
    ["/{a};{b}", { a: "..", b: "x" }],
    ["/x/{a}.{b}", { a: "../..", b: "json" }],
    ["/.{id}", { id: ";x" }],
    ["/%2e{id}", { id: ";x" }],
    [`/${"%25".repeat(3_000)}`, {}],
    ["/{toString}", {}],
    ["/{__proto__}", {}],
  ])("%s with %j is rejected", (template, parameters) => {
    expect(() => urlOf(baseUrl, template, parameters)).toThrow(refused);
  });

  test.each([
    ["/{a}:{b}", { a: "x", b: "y:z" }, "/v1/x:y%3Az"],
    ["/{a}.json", { a: "report" }, "/v1/report.json"],
    ["/{a}.{b}", { a: "v1", b: "2" }, "/v1/v1.2"],
    ["/{a}..{b}", { a: "main", b: "dev" }, "/v1/main..dev"],
    ["/{a}.{b}", { a: ".", b: "." }, "/v1/..."],
    ["/.{a}", { a: "env" }, "/v1/.env"],
    ["/{a},{b};{a}", { a: "1", b: "2,3" }, "/v1/1,2%2C3;1"],
    ["/a//b%2Fc/{a}:cancel", { a: "x/y" }, "/v1/a//b%2Fc/x%2Fy:cancel"],
    ["/x/{a}/", { a: "1" }, "/v1/x/1/"],
    ["/{a}/{a}", { a: "1" }, "/v1/1/1"],
    ["/a b/ä", {}, "/v1/a%20b/%C3%A4"],
  ])("%s with %j is %s", (template, parameters, path) => {
    expect(urlOf(baseUrl, template, parameters).pathname).toBe(path);
  });

  test("a template cannot change the origin", () => {
    expect(urlOf("https://h", "//evil.example/x", {}).origin).toBe("https://h");
    expect(urlOf("https://h", "@evil.example/x", {}).origin).toBe("https://h");
  });
});
