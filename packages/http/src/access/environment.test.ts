import { expect, test } from "vitest";
import { environmentOf } from "./environment.ts";

const key = { person: "ana", environment: "sandbox" } as const;
const session = { person: "ana" };

test.each([
  ["a key implies its own environment", key, undefined, undefined, "sandbox"],
  ["a key may name its own environment", key, "sandbox", "sandbox", "sandbox"],
  ["a principal of both environments names one in the query", session, undefined, "live", "live"],
  ["a principal of both environments names one in the path", session, "live", undefined, "live"],
])("%s", (_what, principal, path, query, environment) => {
  expect(environmentOf(principal, { path, query })).toBe(environment);
});

test.each([
  ["the key's other environment in the path", key, "live", undefined, "environment_mismatch"],
  ["the key's other environment in the query", key, "sandbox", "live", "environment_mismatch"],
  ["an unknown environment in the path", key, "mars", undefined, "not_found"],
  ["a request of a principal of both environments that names none", session, undefined, undefined, "malformed_request"],
])("%s is refused", (_what, principal, path, query, code) => {
  expect(() => environmentOf(principal, { path, query })).toThrow(expect.objectContaining({ code }));
});
