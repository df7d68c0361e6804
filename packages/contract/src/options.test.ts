import { describe, expect, test } from "vitest";
import { checkOptionNames, quotedValue, type OptionNames } from "./options.ts";

interface Options {
  readonly requiresReview?: boolean;
  readonly timeoutMs?: number;
}

const names = { requiresReview: true, timeoutMs: true } satisfies OptionNames<Options>;

describe("checking the names of options", () => {
  test("accepts every known name, and no names", () => {
    expect(() => checkOptionNames("f", names, { requiresReview: true, timeoutMs: undefined })).not.toThrow();
    expect(() => checkOptionNames("f", names, {})).not.toThrow();
  });

  test.each([
    ["requireReview", 'f has no option "requireReview"; did you mean "requiresReview"?'],
    ["timeoutMS", 'f has no option "timeoutMS"; did you mean "timeoutMs"?'],
    ["retries", 'f has no option "retries"; known are "requiresReview", "timeoutMs"'],
    ["__proto__", 'f has no option "__proto__"; known are "requiresReview", "timeoutMs"'],
    ["toString", 'f has no option "toString"; known are "requiresReview", "timeoutMs"'],
  ])("refuses %s and names the nearest", (name, message) => {
    const given: unknown = JSON.parse(JSON.stringify({ name: 1 }).replace("name", name));
    expect(() => checkOptionNames("f", names, given)).toThrow(
      expect.objectContaining({ code: "invalid_input", message }),
    );
  });

  test.each([
    [undefined, "undefined"],
    [null, "null"],
    ["secret", "a string"],
    [["secret"], "a list"],
    [Promise.resolve({}), "a promise, which has to be awaited first"],
  ])("refuses %o without revealing its content", (given, kind) => {
    const message = `f takes an object with options. It was given ${kind}.`;
    expect(() => checkOptionNames("f", names, given, "invalid_configuration")).toThrow(
      expect.objectContaining({ code: "invalid_configuration", message }),
    );
  });

  test("ignores members of the prototype of all objects", () => {
    const account = { value: 1, enumerable: true, configurable: true, writable: true };
    Object.defineProperty(Object.prototype, "account", account);
    let thrown: unknown;
    try {
      checkOptionNames("f", names, {});
    } catch (error) {
      thrown = error;
    } finally {
      Reflect.deleteProperty(Object.prototype, "account");
    }
    expect(thrown).toBeUndefined();
  });
});

test("a table of names that lacks one, or has an excess one, does not compile", () => {
  // @ts-expect-error timeoutMs is missing
  const lacking = { requiresReview: true } satisfies OptionNames<Options>;
  // @ts-expect-error retries is no option
  const tooMany = { requiresReview: true, timeoutMs: true, retries: true } satisfies OptionNames<Options>;
  expect([lacking, tooMany]).toHaveLength(2);
});

test.each([
  ["pays", '"pays"'],
  ["x".repeat(200), `"${"x".repeat(120)}"`],
  [10n, "10"],
  [NaN, "NaN"],
  [true, "true"],
  [Symbol("s"), "a symbol"],
  [Object.create(null), "an object"],
  [undefined, "undefined"],
])("a message quotes %o without failing itself", (value, text) => {
  expect(quotedValue(value)).toBe(text);
});
