import { afterEach, expect, test, vi } from "vitest";
import { consoleLog, errorText } from "./log.ts";

afterEach(() => void vi.restoreAllMocks());

test("a console line stays one line, without characters that control a terminal", () => {
  const lines: unknown[] = [];
  vi.spyOn(console, "warn").mockImplementation((line) => lines.push(line));
  consoleLog.warn("It failed.", { error: "a\n\u001b[2J\u202eb", attempt: 2, left: undefined });
  expect(lines).toEqual(["procedo: It failed. error=a\\u{a}\\u{1b}[2J\\u{202e}b attempt=2"]);
});

test("the text of an error contains no excerpt of invalid JSON", () => {
  for (const text of [
    "secret-0123456789",
    '{"a": secret-0123456789}',
    '["b", secret-0123456789, "and much more of it"]',
  ]) {
    try {
      JSON.parse(text);
      expect.unreachable();
    } catch (error) {
      expect(errorText(error)).toBe("The text is not valid JSON");
    }
  }
  expect(errorText(new Error("It is away."))).toBe("It is away.");
});
