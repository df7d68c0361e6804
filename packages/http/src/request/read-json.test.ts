import type { ProcedoError } from "@procedo/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maxContainers, readJson, readLargeJson } from "./read-json.ts";

const read = (text: string): unknown => readJson(Buffer.from(text));
const nested = (levels: number): string => `${'{"a":['.repeat(levels / 2)}${"]}".repeat(levels / 2)}`;

describe("a body", () => {
  test("is read with the same result as JSON.parse", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5, stringUnit: "binary" }), (text) => {
        fc.pre(text.isWellFormed());
        expect(read(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test("may nest up to 65 levels: 64 of a value and one of its envelope", () => {
    expect(read(nested(64))).toEqual(JSON.parse(nested(64)));
    expect(() => read(nested(66))).toThrow(expect.objectContaining({ code: "too_deep" }));
  });

  test("may nest deeper by the levels of its envelope", () => {
    const bytes = Buffer.from(nested(66));
    expect(readJson(bytes, { envelopeLevels: 3 })).toEqual(JSON.parse(nested(66)));
    expect(() => readJson(bytes, { envelopeLevels: 1 })).toThrow(expect.objectContaining({ code: "too_deep" }));
  });

  test("may have up to 262,144 objects and lists, not counting brackets within strings", () => {
    const items = (count: number): string => `[${Array.from({ length: count }, () => '{"[{":1}').join(",")}]`;
    expect(read(items(maxContainers - 1))).toHaveLength(maxContainers - 1);
    const tooLarge = expect.objectContaining({ code: "payload_too_large" }) as Error;
    expect(() => read(items(maxContainers))).toThrow(tooLarge);
  });

  test("is measured without brackets in strings, and with escaped quotes understood", () => {
    const text = `["${"[{".repeat(100)}", "\\"${"[".repeat(100)}\\\\"]`;
    expect(read(text)).toEqual(JSON.parse(text));
    expect(() => read(`["\\\\",${"[".repeat(66)}`)).toThrow(expect.objectContaining({ code: "too_deep" }));
  });

  test.each(["", "{", '{"a":1,}', "nul", '"\\x"', "1 2", "\ufeff1"])("%j is malformed", (text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code: "malformed_request" }));
  });

  test("with a byte order mark is refused with a message about the mark", () => {
    const message = "The body begins with a byte order mark (U+FEFF). Send JSON without it.";
    expect(() => read('\ufeff{"a":1}')).toThrow(expect.objectContaining({ code: "malformed_request", message }));
  });

  test.each([
    ['{"data":{"amount":1,"amount":1000}}', "/data/amount"],
    ['{"a":[{},{"url":"https://x.test:80/","b/c":1,"b\\u002fc":2}]}', "/a/1/b~1c"],
    ['{"a":1,"a":9007199254740993}', "/a"],
  ])("with a duplicate member is refused with its pointer, whether or not digits are kept: %s", async (text, path) => {
    const refusal = expect.objectContaining({
      code: "malformed_request",
      message: "The body contains an object with a duplicate member. Send each member once.",
      details: [{ path, message: "is a duplicate member of its object" }],
    }) as Error;
    expect(() => readJson(Buffer.from(text), { keepsDigits: true })).toThrow(refusal);
    await expect(readLargeJson(Buffer.from(text), { keepsDigits: true }, async () => {})).rejects.toEqual(refusal);
    if (!text.includes("9007199254740993")) expect(() => read(text)).toThrow(refusal);
  });

  test("above 256 KiB is read with pauses for other work between its steps", async () => {
    let pauses = 0;
    const bytes = Buffer.from(JSON.stringify({ text: "x".repeat(1_000_000) }));
    const pause = async (): Promise<void> => void pauses++;
    expect(await readLargeJson(bytes, {}, pause)).toEqual(readJson(bytes));
    expect(pauses).toBe(5);
  });

  test("that is invalid JSON is refused with the line and column of common mistakes", () => {
    const details = [
      { path: "", message: "Line 3, column 3: Text must be in double quotes (\"), not in '." },
      { path: "", message: 'Line 3, column 9: There is a comma before "}"; remove it.' },
    ];
    const message = `The body is not valid JSON. ${details[0]?.message ?? ""}`;
    expect(() => read("{\n  \"a\": 1,\n  'b': 2,\n}")).toThrow(
      expect.objectContaining({ code: "malformed_request", message, details }),
    );
  });

  test("that is long and invalid JSON is refused with the position of the fault", () => {
    expect(() => read(`{"a":"${"x".repeat(40_000)}",}`)).toThrow(
      expect.objectContaining({ message: "The body is not valid JSON at character 40009.", details: [] }),
    );
  });

  test.each([
    '{"secret":"hunter2",}',
    '{"secret":hunter2}',
    '{"secret":"a","secret":"hunter2"',
    "{hunter2:1}",
    "{'hunter2':1}",
    '{"secret":"hunter2}',
    '{"secret":"{{ hunter2 }}","b":{{ hunter2 }}}',
    '{"secret":"hunter2" hunter2}',
    '{"secret":"a\\qhunter2"}',
    '["hunter2","hunter2"hunter2"]',
    '{"hunter2":1,"hunter2":2,}',
    "[1hunter2,+hunter2,0hunter2]",
    "hunter2",
    "hunter2: hunter2",
  ])("is never quoted in an error: %s", (text) => {
    let refusal: unknown;
    try {
      read(text);
    } catch (error) {
      refusal = error;
    }
    const { message, details } = refusal as ProcedoError;
    expect(message).toContain("is not valid JSON");
    expect(JSON.stringify([message, details.map((detail) => detail.message)])).not.toContain("hunter2");
  });

  test("with a number of too many digits is refused with the pointer to the number", () => {
    expect(() => read('{"a":[0.1,9007199254740993]}')).toThrow(
      expect.objectContaining({ code: "inexact_number", details: [expect.objectContaining({ path: "/a/1" })] }),
    );
  });
});
