import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hmacOfText } from "./hmac.ts";

describe("an HMAC", () => {
  test("is the one of RFC 4231, test case 2", () => {
    const key = Buffer.from("Jefe");
    const expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
    expect(Buffer.from(hmacOfText(key, "what do ya want for nothing?"), "base64url").toString("hex")).toBe(expected);
  });

  test("is what node:crypto makes of any key and text, in whatever order they come", () => {
    const keys = fc.uint8Array({ minLength: 0, maxLength: 100 });
    const texts = fc.array(fc.string({ unit: "binary", maxLength: 400 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(keys, texts, (key, list) => {
        for (const text of list) {
          expect(hmacOfText(key, text)).toBe(createHmac("sha256", key).update(text).digest("base64url"));
        }
      }),
      { numRuns: 500 },
    );
  });
});
