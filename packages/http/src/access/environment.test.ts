import { expect, test } from "vitest";
import { environmentOf } from "./environment.ts";

const key = { person: "ana", environment: "sandbox" } as const;
const session = { person: "ana" };

test.each([
  ["a key implies its own", key, undefined, undefined, "sandbox"],
  ["a key may name its own", key, "sandbox", "sandbox", "sandbox"],
  ["whoever reaches both names one in the query", session, undefined, "live", "live"],
  ["whoever reaches both names one in the path", session, "live", undefined, "live"],
])("%s", (_what, principal, path, query, environment) => {
  expect(environmentOf(principal, { path, query })).toBe(environment);
});

test.each([
  ["the other one in the path", key, "live", undefined, "environment_mismatch"],
  ["the other one in the query", key, "sandbox", "live", "environment_mismatch"],
  ["one in the path that there is not", key, "mars", undefined, "not_found"],
  ["none, and both are reached", session, undefined, undefined, "malformed_request"],
])("%s is refused", (_what, principal, path, query, code) => {
  expect(() => environmentOf(principal, { path, query })).toThrow(expect.objectContaining({ code }));
});
