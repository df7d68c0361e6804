import { expect, test } from "vitest";
import { formatBytes, formatMs } from "./sizes.ts";

test.each([
  [1_048_576, "1 MiB"],
  [10_485_760, "10 MiB"],
  [1_536, "1,536 bytes"],
  [2_048, "2 KiB"],
  [0, "0 bytes"],
])("%i bytes are %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test("a time is exact", () => {
  expect([30_000, 1_500].map(formatMs)).toEqual(["30 s", "1,500 ms"]);
});
