import type { Environment } from "@procedo/contract";
import { expect, test } from "vitest";
import { environmentOf } from "./environment.ts";

const key = "sandbox";
const session = undefined;

test.each<[string, Environment | undefined, string | undefined, string | undefined, Environment]>([
  ["a key implies its own environment", key, undefined, undefined, "sandbox"],
  ["a key may name its own environment", key, "sandbox", "sandbox", "sandbox"],
  ["a session's request names one in the query", session, undefined, "live", "live"],
  ["a session's request names one in the path", session, "live", undefined, "live"],
  ["a session's request names the same one twice", session, "live", "live", "live"],
])("%s", (_what, own, path, query, environment) => {
  expect(environmentOf(own, { path, query })).toBe(environment);
});

test.each<[string, Environment | undefined, string | undefined, string | undefined, string]>([
  ["the key's other environment in the path", key, "live", undefined, "environment_mismatch"],
  ["the key's other environment in the query", key, "sandbox", "live", "environment_mismatch"],
  ["an unknown environment in the path", key, "mars", undefined, "not_found"],
  ["a session's request that names none", session, undefined, undefined, "malformed_request"],
  ["a session's request that names an unknown one", session, undefined, "mars", "malformed_request"],
  ["a session's request that names two", session, "live", "sandbox", "malformed_request"],
])("%s is refused", (_what, own, path, query, code) => {
  expect(() => environmentOf(own, { path, query })).toThrow(expect.objectContaining({ code }));
});

test("a session's request that names an unknown environment is told so, with the two", () => {
  const unknown = () => environmentOf(session, { path: undefined, query: "staging" });
  expect(unknown).toThrow("The environment in the query does not exist. Use one of sandbox, live.");
});
