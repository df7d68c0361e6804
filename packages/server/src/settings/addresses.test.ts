import { expect, test } from "vitest";
import { addressesOf } from "./addresses.ts";
import { readSettings } from "./settings.ts";

test.each([
  [{}, "http://127.0.0.1:8787"],
  [{ HOST: "0.0.0.0", PORT: "80" }, "http://127.0.0.1:80"],
  [{ HOST: "::" }, "http://[::1]:8787"],
  [{ HOST: "fd00::7" }, "http://[fd00::7]:8787"],
  [{ HOST: "procedo.internal" }, "http://procedo.internal:8787"],
])("a server with %j is reached on %s", (env, url) => {
  expect(addressesOf(readSettings(env))).toEqual({ runnerUrl: url, appUrl: url, sdkUrl: url });
});

test("addresses use the port that the system chose", () => {
  expect(addressesOf(readSettings({ PORT: "0" }), 4711).runnerUrl).toBe("http://127.0.0.1:4711");
});

test("addresses that are not set default to the runner's", () => {
  const settings = readSettings({ RUNNER_URL: "https://run.example.com", SDK_URL: "https://sdk.example.com" });
  expect(addressesOf(settings)).toEqual({
    runnerUrl: "https://run.example.com",
    appUrl: "https://run.example.com",
    sdkUrl: "https://sdk.example.com",
  });
});
