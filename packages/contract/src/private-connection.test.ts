import { expect, test } from "vitest";
import {
  privateConnectionStatusSchema,
  privateConnectionTokenPrefixes,
  privateConnectionTokensSchema,
} from "./private-connection.ts";

test("tokens begin with run_sandbox_ or run_live_", () => {
  expect(privateConnectionTokenPrefixes).toEqual({ sandbox: "run_sandbox_", live: "run_live_" });
  expect(privateConnectionTokensSchema.safeParse({ sandbox: "run_sandbox_a", live: "run_live_b" }).success).toBe(true);
  expect(privateConnectionTokensSchema.safeParse({ sandbox: "rsk_sandbox_a", live: "rsk_live_b" }).success).toBe(false);
});

test("a private connection is connected or disconnected, and lists its functions by name", () => {
  const status = {
    status: "connected",
    lastPollAt: "2026-01-31T09:30:00.000Z",
    registeredFunctions: ["lookup_customer"],
  };
  expect(privateConnectionStatusSchema.parse(status)).toEqual(status);
  expect(privateConnectionStatusSchema.safeParse({ ...status, status: "unknown" }).success).toBe(false);
  expect(privateConnectionStatusSchema.safeParse({ ...status, registeredFunctions: [{}] }).success).toBe(false);
});

test("a client that never polled has no time of its last poll", () => {
  const status = { status: "disconnected", registeredFunctions: [] };
  expect(privateConnectionStatusSchema.parse(status)).toEqual(status);
});
