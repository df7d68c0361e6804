import { describe, expect, test } from "vitest";
import { encodings, escapes } from "./escaped-forms.fixture.ts";
import { createRedactor, redacted } from "./redact.ts";
import { lengthsWithoutOpenEscapes, normalBytes } from "./undo-escapes.ts";

const secret = "s3cret/+key=ü'\"&%~<d\\e>41🔑end";
const redactor = createRedactor([secret]);

describe("a secret is removed in every form in which services return it", () => {
  test.each(Object.entries(encodings))("%s, escaped in every way, once and twice", (_case, encode) => {
    const encoded = encode(secret);
    const once = Object.entries(escapes).map(([name, escape]) => [name, escape(encoded)] as const);
    const twice = Object.entries(escapes).flatMap(([outerName, outer]) =>
      once.map(([name, inner]) => [`${name}, then ${outerName}`, outer(inner)] as const),
    );
    for (const [name, text] of [["not escaped", encoded] as const, ...once, ...twice]) {
      for (const [before, after] of [
        ["", ""],
        ["before ", " after "],
      ] as const) {
        const shown = redactor.text(before + text + after);
        expect(shown, name).toContain(redacted);
        // The neighbours remain in base64, with the characters that the secret shares with them.
        expect(normalBytes(rest(shown)).trim().length, `${name}: ${shown}`).toBeLessThanOrEqual(
          before.length + after.length + 9,
        );
      }
    }
  });

  test("with three and four escapes applied in turn", () => {
    const [html, url, json] = ["HTML (&amp; &lt; &gt; &quot; &#39;)", "encodeURIComponent", "JSON"].map(
      (name) => escapes[name] ?? String,
    ) as [typeof String, typeof String, typeof String];
    for (const text of [json(json(json(secret))), html(html(html(html(secret)))), json(url(html(json(secret))))]) {
      expect(redactor.text(`<${text}>`)).toBe(`<${redacted}>`);
    }
  });

  test("with another escape for each of its characters", () => {
    const all = Object.values(escapes);
    for (let round = 0; round < all.length; round++) {
      const text = [...secret].map((character, index) => all[(index + round) % all.length]?.(character)).join("");
      expect(redactor.text(`x${text}y`)).toBe(`x${redacted}y`);
    }
  });

  test.each(["", "u", "us", "usr", "user:", "Basic x:y"])("base64 of %j before it and more after it", (before) => {
    for (const after of ["", "1", "12", "123"]) {
      for (const encoding of ["base64", "base64url"] as const) {
        const header = `Basic ${Buffer.from(before + secret + after).toString(encoding)}`;
        const shown = redactor.text(header);
        expect(shown).toContain(redacted);
        // At most the characters that the secret shares with its neighbours remain.
        const left = shown.replace("Basic ", "").split(redacted);
        const known = left.map((part) => Buffer.from(part, encoding).toString("latin1")).join("");
        expect(known).not.toContain(secret.slice(2, 6));
      }
    }
  });

  test("in lines that are indented, as in YAML and XML, escaped or not", () => {
    const indented = ["\n    ", "\r\n\t", "\n \t "].flatMap((line) =>
      Object.values(encodings).map((encode) => encode(secret).replace(/.{20}(?=.{8})/g, `$&${line}`)),
    );
    const byNumber = escapes["HTML, each character by number"] ?? String;
    for (const text of indented) {
      for (const escape of [String, byNumber, encodeURIComponent, (one: string) => JSON.stringify(one).slice(1, -1)]) {
        const shown = redactor.text(`<${escape(text)}>`);
        expect(shown).toContain(redacted);
        expect(normalBytes(rest(shown)).length, shown).toBeLessThanOrEqual(11);
      }
    }
    expect(redactor.text("key:\n    other\n  words")).toBe("key:\n    other\n  words");
  });

  test.each([
    ["Basic credentials of OAuth", `id:${encodeURIComponent(secret)}`],
    ["a body of JSON", JSON.stringify({ key: secret, more: 1 })],
    ["a body of a form", new URLSearchParams({ key: secret, more: "1" }).toString()],
  ])("escaped before base64: %s", (_case, text) => {
    for (const shift of ["", "x", "xy"]) {
      for (const encoding of ["base64", "base64url"] as const) {
        const left = redactor.text(Buffer.from(shift + text).toString(encoding)).split(redacted);
        expect(left).toHaveLength(2);
        const known = left.map((part) => Buffer.from(part, encoding).toString("latin1")).join("");
        expect(normalBytes(known)).not.toContain(secret.slice(2, 6));
        expect(normalBytes(known)).not.toContain(secret.slice(-5, -1));
      }
    }
  });

  test.each(["%", "%4", "100%25", "\\", "&", "&#", "&amp", "\\u00", "%u0"])(
    "after %j, which may consume its first characters",
    (before) => {
      const own = "41/f+abcdefghijklmnop";
      const shown = createRedactor([own]).text(`${before}${encodeURIComponent(own)} after`);
      expect(shown).toMatch(/\[redacted\] after$/);
      expect(shown).not.toContain("abcdef");
    },
  );

  test("in UTF-8 that was decoded as ISO 8859-1", () => {
    const own = "schlüssel-größe";
    expect(createRedactor([own]).text(`x ${Buffer.from(own).toString("latin1")} y`)).toBe(`x ${redacted} y`);
    expect(createRedactor([own]).text(`x ${escape(own)} y`)).toBe(`x ${redacted} y`);
  });

  test("in bytes", () => {
    const bytes = Buffer.from(`\x00${encodeURIComponent(secret)}\xff${secret}`);
    expect(Buffer.from(redactor.bytes(bytes))).toEqual(Buffer.from(`\x00${redacted}\xff${redacted}`));
    for (const wide of [Buffer.from(secret, "utf16le"), Buffer.from(secret, "utf16le").swap16()]) {
      const around = Buffer.concat([Buffer.from([255, 254]), wide, Buffer.from([0])]);
      expect(Buffer.from(redactor.bytes(around))).toEqual(Buffer.from(`\xff\xfe${redacted}\x00`, "latin1"));
    }
    const other = new Uint8Array([0, 1, 255]);
    expect(redactor.bytes(other)).toBe(other);
  });
});

describe("a shortened text", () => {
  const own = 'tok/+"&3c9d81-ü7f';
  const one = createRedactor([own, "second-secret-1"]);
  const before = "The bank said: ";
  const written = (encode: (text: string) => string) =>
    [
      encode,
      ...Object.values(escapes).flatMap((escape) =>
        [escape, (text: string) => escape(escape(text))].map((escaped) => (text: string) => escaped(encode(text))),
      ),
    ].map((write) => write(own));
  /**
   * The part of an encoded secret that remains after the cut, without escapes. The user of `user:secret` in base64 may
   * remain.
   */
  const left = (cut: string): string => {
    const shown = cut.slice(before.length).replace(/\[(r(e(d(a(c(t(e(d\]?)?)?)?)?)?)?)?)?.*$/s, "");
    const bytes = normalBytes(shown);
    return bytes.slice(0, lengthsWithoutOpenEscapes(bytes).at(-1)).replace(/^d(X(N(l(c(jp?)?)?)?)?)?/, "");
  };

  test.each(Object.entries(encodings))(
    "contains no part of a secret for any position of the cut: %s",
    (_case, encode) => {
      for (const form of written(encode)) {
        const text = `${before}${form} and more than that.`;
        for (let at = 0; at <= text.length; at++) {
          const cut = one.cut(text, at);
          expect(cut.length).toBeLessThanOrEqual(at);
          // The secret shares a character of base64 with the text before it.
          expect(left(cut).length, cut).toBeLessThanOrEqual(1);
        }
      }
    },
  );

  test.each(Object.entries(encodings))(
    "contains no part of a secret after an earlier cut at any position: %s",
    (_case, encode) => {
      for (const form of written(encode)) {
        for (let at = 0; at < form.length; at++) {
          const cut = one.cut(before + form.slice(0, at), 2_000);
          // Fewer than six characters do not count as the beginning of a secret.
          expect(left(cut).length, cut).toBeLessThanOrEqual(6);
        }
      }
    },
  );

  test("has the maximum length when it contains no secret", () => {
    expect(one.cut("a".repeat(100), 40)).toBe("a".repeat(40));
    expect(one.cut("a".repeat(40), 40)).toBe("a".repeat(40));
    expect(one.cut(`${"a".repeat(39)}\u{1f511}`, 40)).toBe(`${"a".repeat(39)}\ufffd`);
  });

  test("ends before a secret that extends beyond the searched part", () => {
    const html = escapes["HTML, each character by number"] ?? String;
    const escaped = html(html(html(own)));
    const text = `before ${escaped}`;
    for (let at = 7; at < 60; at++) expect(one.cut(text, at)).toBe("before ");
  });

  test("texts of a value may end with a possible beginning of a secret, texts of an excerpt may not", () => {
    const value = { said: `It was ${own.slice(0, 9)}`, list: [own.slice(0, 9)] };
    expect(one.value(value)).toBe(value);
    expect(one.excerpt(value)).toEqual({ said: "It was ", list: [""] });
  });
});

describe("values", () => {
  const { value: clean } = bound(createRedactor(["tok_12345678", "987654321", "abc"]));

  test("removes secrets from nested values and keys, and changes nothing else", () => {
    expect(
      clean({
        a: ["x tok_12345678 y", 1, null, true],
        tok_12345678: { b: 987654321 },
        c: 98765432,
        "&#116;ok_12345678": 1,
      }),
    ).toEqual({ a: [`x ${redacted} y`, 1, null, true], [redacted]: 1, c: 98765432 });
  });

  test("returns a value without secrets unchanged and uncopied", () => {
    const value = { a: [{ b: "c" }], d: 1, e: "100%25 &amp; \\n" };
    expect(clean(value)).toBe(value);
    const half = { keep: { a: 1 }, clean: "tok_12345678" };
    expect((clean(half) as typeof half).keep).toBe(half.keep);
    expect(createRedactor([]).value(value)).toBe(value);
    expect(createRedactor([""]).text("text")).toBe("text");
  });

  test("removes a short secret only where it is the whole string", () => {
    expect(clean(["abc", "abcd", "xabc"])).toEqual([redacted, "abcd", "xabc"]);
  });

  test("removes a secret that contains another one completely", () => {
    expect(createRedactor(["key_123456", "key_123456_long"]).text("key_123456_long")).toBe(redacted);
    expect(createRedactor(["key_123456", "key_123456_long"]).cut("key_123456_long and more", 10)).toBe(redacted);
    expect(createRedactor(["key_123456", "key_123456_long"]).cut("key_123456_lo", 99)).toBe(redacted);
  });

  test("keeps members that are named like those of Object", () => {
    const value = JSON.parse('{"__proto__":"tok_12345678","constructor":"x"}') as Record<string, string>;
    expect(JSON.stringify(clean(value))).toBe(`{"__proto__":"${redacted}","constructor":"x"}`);
  });

  test("matches the special characters of patterns literally", () => {
    const pattern = createRedactor(["a.*+?^${}()|[]\\/z"]);
    expect(pattern.text("a.*+?^${}()|[]\\/z and a.....")).toBe(`${redacted} and a.....`);
    expect(createRedactor(["other_secret"]).text("$&$1$$ x")).toBe("$&$1$$ x");
  });

  test("does not match a short secret across two lines", () => {
    const short = createRedactor(["12345678"]);
    expect(short.text("a;1234\r\n5678;b\n12345678;c")).toBe(`a;1234\r\n5678;b\n${redacted};c`);
    expect(createRedactor(["1234567890abcdef"]).text("12345678\n90abcdef")).toBe(redacted);
  });

  test("keeps the escapes of the remaining text", () => {
    expect(clean("a%2Fb &lt;tok_1234567%38&gt; \\u0041\r\n")).toBe(`a%2Fb &lt;${redacted}&gt; \\u0041\r\n`);
  });
});

/** The only tests that measure time: a hostile text of twice the length may take about twice the time. */
describe("texts and secrets that are meant to be expensive", () => {
  const hostile: readonly (readonly [string, (size: number) => string])[] = [
    ["percent signs", (size) => "%".repeat(size)],
    ["escaped percent signs", (size) => `%${"25".repeat(size / 2)}`],
    ["backslashes", (size) => "\\".repeat(size)],
    ["ampersands", (size) => "&amp;".repeat(size / 5)],
    ["nested references", (size) => `&${"amp;".repeat(size / 4)}`],
    ["semicolons", (size) => `&${";".repeat(size)}`],
    ["halves of characters", (size) => "\\udc00".repeat(size / 6)],
  ];

  test.each(hostile)(
    "%s",
    (_case, text) => {
      const one = createRedactor(["%252525%2525ab", "&amp;amp;amp;ab", "\\\\\\\\\\\\\\\\ab"]);
      expect(one.text(text(1_000_000)).length).toBeGreaterThan(0);
      expect(one.cut(text(1_000_000), 2_000).length).toBeLessThanOrEqual(2_000);
    },
    5_000,
  );
});

function bound(redactor: ReturnType<typeof createRedactor>) {
  return { value: redactor.value.bind(redactor) };
}

function rest(text: string): string {
  return text.replaceAll(redacted, "");
}
