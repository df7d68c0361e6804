import { cases } from "@procedo-testing/tiers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { operationRequest } from "../../src/calls/operation-request.ts";
import { operation, parameter, withoutCredentials } from "./operations.ts";

const baseUrl = "https://api.example.com/v1";
const templates = ["/things/{id}/notes", "/things/{id}.json", "/things/a:{id}", "/things/.{id}/", "/{id}"];
const styles = (["simple", "label", "matrix"] as const).flatMap((style) => [
  { style, explode: false },
  { style, explode: true },
]);

/** The values of O-01, and fragments of them in any order. */
const known = ["..", ".", "%2e%2e", "%252e%252e", "..%2f..", "a/../../b", "a\\..\\b", "a?x=1", "a#f", "a;b", ""];
const piece = fc.constantFrom(
  ...known,
  "/",
  "\\",
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
  "ä",
  "．",
  "\0",
  "%00",
);
const text = fc.oneof(
  fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join("")),
  fc.constant("x".repeat(10_240)),
  fc.string({ unit: "binary" }),
);
const value = fc.oneof(
  text,
  fc.constant(null),
  fc.integer(),
  fc.array(text, { maxLength: 3 }),
  fc.dictionary(
    text.filter((name) => name !== "__proto__"),
    text,
    { maxKeys: 3 },
  ),
  fc.constant({ a: { b: "c" } }),
);

describe("for any path parameter (O-01)", () => {
  test("the URL keeps its origin, the template's text and the number of segments, or nothing is sent", () => {
    const outcomes = { sent: 0, refused: 0 };
    fc.assert(
      fc.property(fc.constantFrom(...templates), fc.constantFrom(...styles), value, (path, style, id) => {
        const one = operation({ path, inputs: [parameter("path", "id", style)] });
        const connection = { ...withoutCredentials, baseUrl };
        let href: string;
        try {
          href = operationRequest({ operation: one, effect: "read", args: { id }, connection, idempotencyKey: "" }).url;
        } catch (error) {
          expect(error).toMatchObject({ code: "invalid_input", sent: "no" });
          outcomes.refused += 1;
          return;
        }
        outcomes.sent += 1;
        const url = new URL(href);
        expect(url.href).toBe(href);
        expect([url.origin, url.search, url.hash]).toEqual(["https://api.example.com", "", ""]);
        const [before = "", after = ""] = path.split("{id}");
        expect(url.pathname.startsWith(`/v1${before}`)).toBe(true);
        expect(url.pathname.endsWith(after)).toBe(true);
        expect(url.pathname.split("/")).toHaveLength(`/v1${path}`.split("/").length);
        let decoded = url.pathname;
        for (let round = 0; round < 8; round++) {
          const parts = decoded.split(/[/\\]/).map((part) => part.split(";")[0]);
          expect(parts).not.toContain("..");
          expect(parts).not.toContain(".");
          decoded = unescape(decoded);
        }
      }),
      { numRuns: cases({ commit: 300, nightly: 30_000, release: 300_000 }) },
    );
    expect(outcomes.sent).toBeGreaterThan(0);
    expect(outcomes.refused).toBeGreaterThan(0);
  });

  test.each([undefined, null, "", [], {}, [null]])("%j is not a valid path parameter", (id) => {
    const one = operation({ path: "/things/{id}", inputs: [parameter("path", "id")] });
    const args = id === undefined ? {} : { id };
    const connection = { ...withoutCredentials, baseUrl };
    expect(() => operationRequest({ operation: one, effect: "read", args, connection, idempotencyKey: "" })).toThrow(
      expect.objectContaining({ code: "invalid_input", message: expect.stringContaining('"id"') as string }),
    );
  });
});
