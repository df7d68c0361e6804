import type { JsonValue } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { pathText } from "./parameter-styles.ts";
import { encodePathPart } from "./path-segment.ts";
import { targetUrl } from "./target-url.ts";

const simple = { kind: "style", style: "simple", explode: false, allowReserved: false } as const;

/** The encoded value as a whole segment. */
function segmentOf(value: JsonValue | undefined): string {
  const written = (name: string) => pathText(name, value, simple, encodePathPart);
  const url = targetUrl({ baseUrl: "https://api.example.com/v1", template: "/things/{id}/notes", written });
  return url.pathname.split("/")[3] ?? "";
}

const refused = expect.objectContaining({ code: "invalid_input", sent: "no" });

describe("a path parameter that could leave its segment is rejected", () => {
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
  ])("%j", (value) => {
    expect(() => segmentOf(value)).toThrow(refused);
  });

  test("of 10 kB", () => {
    expect(() => segmentOf("x".repeat(10_240))).toThrow(refused);
    expect(() => segmentOf("%25".repeat(600))).not.toThrow();
  });

  test("with an error that names the path but not the value", () => {
    expect(() => segmentOf("../hunter2")).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^(?!.*hunter2).*"\/things\/{id}\/notes"/) }),
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
    expect(segmentOf(value)).toBe(segment);
  });
});
