import { expect, test } from "vitest";
import { browserName } from "./browser-name.ts";

const mozilla = "Mozilla/5.0";

test.each([
  [`${mozilla} (Windows NT 10.0; Win64; x64; rv:152.0) Gecko/20100101 Firefox/152.0`, "Firefox 152 on Windows"],
  [
    `${mozilla} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36`,
    "Chrome 153 on macOS",
  ],
  [
    `${mozilla} (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36 Edg/153.0.0.0`,
    "Edge 153 on Windows",
  ],
  [
    `${mozilla} (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1`,
    "Safari 26 on iOS",
  ],
  [
    `${mozilla} (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Mobile Safari/537.36`,
    "Chrome 153 on Android",
  ],
  ["curl/8.9.1", "curl/8.9.1"],
  [" ", "Unknown program"],
  [undefined, "Unknown program"],
])("%s is %s", (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});
