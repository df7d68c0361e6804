import { describe, expect, test } from "vitest";
import { createRedactor, redact, redacted } from "./redact.ts";

const secret = "s3cret/+key=ü'\"&%~";

describe("a secret is removed in every form in which it turns up", () => {
  const bytes = Buffer.from(secret);
  const form = new URLSearchParams({ k: secret }).toString().slice(2);
  test.each([
    ["as it is", secret],
    ["inside JSON text", JSON.stringify({ k: secret }).slice(6, -2)],
    ["base64", bytes.toString("base64").replace(/=+$/, "")],
    ["base64url", bytes.toString("base64url")],
    ["hex", bytes.toString("hex")],
    ["upper-case hex", bytes.toString("hex").toUpperCase()],
    ["URL-encoded", encodeURIComponent(secret)],
    ["URL-encoded in lower case", encodeURIComponent(secret).replace(/%../g, (escape) => escape.toLowerCase())],
    ["form-encoded", form],
  ])("%s", (_case, written) => {
    expect(redact(written, [secret])).not.toContain(written);
    expect(redact(`before ${written} after ${written}`, [secret])).toBe(`before ${redacted} after ${redacted}`);
  });

  test.each(["", "u", "us", "usr", "user:", "Basic x:y"])("base64 of %j before it and more after it", (before) => {
    for (const after of ["", "1", "12", "123"]) {
      for (const encoding of ["base64", "base64url"] as const) {
        const header = `Basic ${Buffer.from(before + secret + after).toString(encoding)}`;
        const shown = redact(header, [secret]) as string;
        expect(shown).toContain(redacted);
        // At most the characters that the secret shares with its neighbours are left.
        const left = shown.replace("Basic ", "").split(redacted);
        const known = left.map((part) => Buffer.from(part, encoding).toString("latin1")).join("");
        expect(known).not.toContain(secret.slice(2, 6));
      }
    }
  });
});

describe("values", () => {
  const clean = createRedactor(["tok_12345678", "987654321", "abc"]);

  test("nested values and keys are cleaned, the rest stays", () => {
    expect(clean({ a: ["x tok_12345678 y", 1, null, true], tok_12345678: { b: 987654321 }, c: 98765432 })).toEqual({
      a: [`x ${redacted} y`, 1, null, true],
      [redacted]: { b: redacted },
      c: 98765432,
    });
  });

  test("a value without secrets comes back as it is, without a copy", () => {
    const value = { a: [{ b: "c" }], d: 1 };
    expect(clean(value)).toBe(value);
    const half = { keep: { a: 1 }, clean: "tok_12345678" };
    expect((clean(half) as typeof half).keep).toBe(half.keep);
    expect(createRedactor([])(value)).toBe(value);
    expect(createRedactor([""])("text")).toBe("text");
  });

  test("a short secret is removed where it is the whole string only", () => {
    expect(clean(["abc", "abcd", "xabc"])).toEqual([redacted, "abcd", "xabc"]);
  });

  test("a secret that contains another one leaves nothing over", () => {
    expect(redact("key_123456_long", ["key_123456", "key_123456_long"])).toBe(redacted);
  });

  test("members named like those of Object stay data", () => {
    const value = JSON.parse('{"__proto__":"tok_12345678","constructor":"x"}') as Record<string, string>;
    expect(JSON.stringify(clean(value))).toBe(`{"__proto__":"${redacted}","constructor":"x"}`);
  });

  test("characters with a meaning in patterns are taken literally", () => {
    expect(redact("a.*+?^${}()|[]\\/z and a.....", ["a.*+?^${}()|[]\\/z"])).toBe(`${redacted} and a.....`);
    expect(redact("$&$1$$ x", ["other_secret"])).toBe("$&$1$$ x");
  });
});
