import { describe, expect, test } from "vitest";
import { maxNameLength, nameProblem, normalName } from "./names.ts";

describe("a name's normal form", () => {
  test.each([
    ["capitals", "Ana@Example.COM", "ana@example.com"],
    ["spaces around it", " \tana@example.com\u00a0\n", "ana@example.com"],
    ["a letter and its accent as two characters", "re\u0301my", "r\u00e9my"],
    ["a capital letter and its accent as two characters", "RE\u0301MY", "r\u00e9my"],
  ])("is the same with %s", (_what, written, normal) => {
    expect(normalName(written)).toBe(normal);
  });

  test.each([
    ["dots", "a.na@example.com", "ana@example.com"],
    ["a tag", "ana+live@example.com", "ana@example.com"],
    ["look-alikes of another script", "\u0430na@example.com", "ana@example.com"],
    ["letters that only NFKC unifies", "\uff41na@example.com", "ana@example.com"],
  ])("is another with %s", (_what, one, other) => {
    expect(normalName(one)).not.toBe(normalName(other));
  });

  test("is unchanged by a second normalization, for every character", () => {
    for (let code = 0; code <= 0x10ffff; code++) {
      const name = `a${String.fromCodePoint(code)}b`;
      const normal = normalName(name);
      if (normalName(normal) !== normal) expect.unreachable(`U+${code.toString(16)}`);
    }
  });
});

describe("a name", () => {
  test.each(["ana@example.com", "Ana Müller", "王小明", "Даша", "o'neil", "\u{1f600}", "n".repeat(maxNameLength)])(
    "may be %j",
    (name) => {
      expect(nameProblem(name)).toBeUndefined();
    },
  );

  test.each([
    ["empty", ""],
    ["blank", " \t\n"],
    ["too long", "n".repeat(maxNameLength + 1)],
    ["with a line end", "ana\nbob"],
    ["with a NUL", "ana\u0000"],
    ["with a zero-width space", "ana\u200b@example.com"],
    ["with a byte order mark inside", "a\ufeffna"],
    ["with a direction override", "ana\u202e"],
    ["with a soft hyphen", "a\u00adna"],
    ["with a filler", "ana\u3164"],
    ["with a no-break space inside", "ana\u00a0b"],
    ["with half a character", "ana\ud800"],
  ])("may not be %s", (_what, name) => {
    expect(nameProblem(name)).toBeTypeOf("string");
  });

  test("is refused with the code of its invisible character", () => {
    expect(nameProblem("ana\u200b")).toContain("U+200B");
  });
});
