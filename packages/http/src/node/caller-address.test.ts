import { describe, expect, test } from "vitest";
import { createCallerAddress } from "./caller-address.ts";

const proxies = ["10.0.0.0/24", "fd00::7"];
const of = (trusted: readonly string[] | undefined, remoteAddress: string | undefined, forwarded?: string) =>
  createCallerAddress(trusted)({
    socket: { remoteAddress } as never,
    headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
  });

describe("the address of a request's sender", () => {
  test.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["2001:db8::1", "2001:db8::1"],
    [undefined, undefined],
  ])("is the address %s of the connection, and no header changes it", (own, address) => {
    for (const trusted of [undefined, [], proxies]) {
      for (const forwarded of [undefined, "198.51.100.9", "10.0.0.1", "127.0.0.1, 10.0.0.1"]) {
        expect(of(trusted, own, forwarded)).toBe(address);
      }
    }
  });

  test.each([
    ["198.51.100.9", "198.51.100.9"],
    ["127.0.0.1, 203.0.113.5, 198.51.100.9", "198.51.100.9"],
    ["203.0.113.5,198.51.100.9 , 10.0.0.2,fd00::7", "198.51.100.9"],
    ["a forged text, 198.51.100.9", "198.51.100.9"],
    ["2001:DB8::1", "2001:db8::1"],
    ["::ffff:198.51.100.9", "198.51.100.9"],
    ["198.51.100.9, ::ffff:10.0.0.2", "198.51.100.9"],
  ])("in %j of a trusted proxy is the last one that is no trusted proxy", (forwarded, address) => {
    for (const own of ["10.0.0.1", "::ffff:10.0.0.1", "fd00::7"]) expect(of(proxies, own, forwarded)).toBe(address);
  });

  test.each([
    ...[undefined, "", ",", "10.0.0.2, 10.0.0.3", "unknown", "198.51.100.9:443", "[2001:db8::1]", "198.51.100.9,"],
    ...["198.51.100.9, x", "198.51.100.9, 10.0.0.999", "0x7f.1", "fe80::1%eth0", "198.51.100.9;10.0.0.2"],
  ])("is that of the proxy for the malformed list %j", (forwarded) => {
    expect(of(proxies, "10.0.0.1", forwarded)).toBe("10.0.0.1");
  });

  test.each([["10.0.0.0/24"], [true], [[true]], [["10.0.0.1/24"]], [["proxy.example"]]])(
    "is read from no proxies in the form of %j",
    (given) => {
      expect(() => createCallerAddress(given as never)).toThrow(
        expect.objectContaining({ code: "invalid_configuration" }),
      );
    },
  );
});
