import { expect, test } from "vitest";
import { digestOfToken, hasFormOfToken, newToken } from "./client-token.ts";

const random = { bytes: (size: number) => new Uint8Array(size).fill(251) };

test("a token has 256 random bits and a prefix for its environment", () => {
  expect(newToken("sandbox", random)).toMatch(/^run_sandbox_[A-Za-z0-9_-]{43}$/);
  expect(newToken("live", random)).toMatch(/^run_live_[A-Za-z0-9_-]{43}$/);
  for (const environment of ["sandbox", "live"] as const) {
    expect(hasFormOfToken(newToken(environment, random))).toBe(true);
  }
});

test.each(["", "run_live_", `run_test_${"a".repeat(43)}`, `rsk_live_${"a".repeat(43)}`, `run_live_${"a".repeat(44)}`])(
  "%j does not have the form of a token",
  (text) => {
    expect(hasFormOfToken(text)).toBe(false);
  },
);

test("digests a token with SHA-256", () => {
  const token = newToken("live", random);
  expect(digestOfToken(token)).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(digestOfToken(token)).not.toContain(token.slice(9, 20));
});
