import { expect, test } from "vitest";
import { isLoopback } from "./control.ts";

test.each(["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"])("%s is loopback", (address) => {
  expect(isLoopback(address)).toBe(true);
});

test.each(["10.0.0.1", "192.168.1.1", "0.0.0.0", "::", "::ffff:10.0.0.1", "fe80::1", "localhost", "", undefined])(
  "%s is not loopback",
  (address) => {
    expect(isLoopback(address)).toBe(false);
  },
);
