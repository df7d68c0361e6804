import { expect, test } from "vitest";
import { nextVersionName } from "./version-name.ts";

test("the next version has the next number", () => {
  const none = new Set<string>();
  expect(nextVersionName(undefined, none)).toBe("1");
  expect(nextVersionName("1", none)).toBe("2");
  expect(nextVersionName("v9", none)).toBe("v10");
  expect(nextVersionName("2026-11", none)).toBe("2026-12");
  expect(nextVersionName("1.4-rc", none)).toBe("1.5-rc");
  expect(nextVersionName("first", none)).toBe("first-1");
  expect(nextVersionName("1", new Set(["2", "3"]))).toBe("4");
});
