import { describe, expect, it } from "vitest";
import { strictJson } from "./strict-json.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("strict JSON", () => {
  it("keeps the digits of numbers that a double would change", () => {
    expect(strictJson(bytes('{"id": 9007199254740993, "rate": 1e400, "amount": 12.5}'))).toEqual({
      id: "9007199254740993",
      rate: "1e400",
      amount: 12.5,
    });
  });

  it("is also read from a text", () => {
    expect(strictJson('{"id": 9007199254740993}')).toEqual({ id: "9007199254740993" });
    expect(() => strictJson('{"amount": 1, "amount": 2}')).toThrow(
      expect.objectContaining({ code: "malformed_request" }),
    );
  });

  it("is nested 64 levels deep at most", () => {
    const nested = (levels: number) => bytes("[".repeat(levels) + "]".repeat(levels));
    expect(strictJson(nested(64))).toBeDefined();
    expect(() => strictJson(nested(65))).toThrow(expect.objectContaining({ code: "malformed_request" }));
    expect(() => strictJson(nested(500_000))).toThrow(expect.objectContaining({ code: "malformed_request" }));
  });

  it.each<[string, Uint8Array]>([
    ["nothing", bytes("")],
    ["text that is not JSON", bytes("a=1&b=2")],
    ["text behind the value", bytes("{} {}")],
    ["a byte order mark", bytes("\uFEFF{}")],
    ["invalid UTF-8", Uint8Array.of(0x22, 0xff, 0x22)],
    ["a member twice", bytes('{"amount": 1, "amount": 2}')],
    ["a member twice, one of them escaped", bytes('{"amount": 1, "\\u0061mount": 2}')],
    ["a member twice at a depth", bytes('{"a": [{"b": 1, "b": 1}]}')],
    ["a reserved member", bytes('{"__proto__": {"admin": true}}')],
  ])("is not %s", (_how, given) => {
    expect(() => strictJson(given)).toThrow(expect.objectContaining({ code: "malformed_request" }));
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });

  it("names no value of the body in an error", () => {
    expect(() => strictJson(bytes('{"iban": "DE89", "iban": "DE90"}'))).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining("DE89") as string }),
    );
  });
});
