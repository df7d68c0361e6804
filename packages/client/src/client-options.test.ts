import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { checkOptions } from "./client-options.ts";

const apiKey = "rsk_live_c2VjcmV0";
const runnerUrl = "https://procedo.example.com";

test.each([
  ["rsk_sandbox_abc", "sandbox"],
  ["rsk_live_abc", "live"],
])("the key's prefix determines the environment: %s", (given, environment) => {
  expect(checkOptions({ apiKey: given, runnerUrl }).environment).toBe(environment);
});

describe("an invalid key is refused without being quoted", () => {
  test.each([
    ["none", undefined],
    ["an empty one", ""],
    ["of an unknown environment", "rsk_test_c2VjcmV0"],
    ["of another service", "sk_live_c2VjcmV0"],
    ["a private connection's token", "run_live_c2VjcmV0"],
    ["with a line break", "rsk_live_c2VjcmV0\n"],
    ["with the scheme in front", "Bearer rsk_live_c2VjcmV0"],
    ["with characters that are invalid in a header", "rsk_live_c2VjcmV0ü"],
  ])("%s", (_name, given) => {
    let error: unknown;
    try {
      checkOptions({ apiKey: given as string, runnerUrl });
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ code: "invalid_configuration" });
    expect(inspect(error)).not.toContain("c2VjcmV0");
  });
});

test.each([
  undefined,
  "",
  "procedo.example.com",
  "ftp://procedo.example.com",
  "https://a:b@procedo.example.com",
  "https://x.com/?a=1",
])("an invalid address is refused: %s", (address) => {
  expect(() => checkOptions({ apiKey, runnerUrl: address as string })).toThrow("runnerUrl");
  if (address !== undefined) expect(() => checkOptions({ apiKey, runnerUrl, appUrl: address })).toThrow("appUrl");
});

test("the dashboard is at the runner's address by default", () => {
  expect(checkOptions({ apiKey, runnerUrl: `${runnerUrl}/base//` })).toMatchObject({
    runnerUrl: `${runnerUrl}/base`,
    appUrl: `${runnerUrl}/base`,
    apiUrl: `${runnerUrl}/base/api/v1`,
  });
  expect(checkOptions({ apiKey, runnerUrl, appUrl: "https://app.example.com" }).apiUrl).toBe(
    "https://app.example.com/api/v1",
  );
});

test.each([
  { retries: -1 },
  { retries: 1.5 },
  { retries: NaN },
  { timeoutMs: 0 },
  { timeoutMs: NaN },
  { timeoutMs: Infinity },
])("an invalid number is refused with its name: %o", (numbers) => {
  expect(() => checkOptions({ apiKey, runnerUrl, ...numbers })).toThrow(Object.keys(numbers)[0]);
});

test.each([
  [{ apikey: "k" }, 'createClient has no option "apikey"; did you mean "apiKey"?'],
  [{ timeoutMS: 5 }, 'createClient has no option "timeoutMS"; did you mean "timeoutMs"?'],
])("an unknown option is refused with the nearest known one: %o", (wrong, message) => {
  expect(() => checkOptions({ apiKey, runnerUrl, ...wrong })).toThrow(
    expect.objectContaining({ code: "invalid_configuration", message }),
  );
});

test("missing options are refused with a message", () => {
  expect(() => checkOptions(undefined as never)).toThrow(/^createClient takes an object with options/);
});
