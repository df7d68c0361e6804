import { isIP } from "node:net";
import { cases } from "@procedo-testing/tiers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { classifyAddress, isInNetwork, parseAddress, parseNetwork } from "./address.ts";

function classOf(text: string) {
  const address = parseAddress(text);
  return address === undefined ? undefined : classifyAddress(address);
}

describe("addresses that are not public", () => {
  test.each([
    // First and last address of each range, IANA IPv4 Special-Purpose Address Registry
    ["0.0.0.0", "this network"],
    ["0.255.255.255", "this network"],
    ["10.0.0.0", "private use"],
    ["10.255.255.255", "private use"],
    ["100.64.0.0", "shared address space"],
    ["100.100.100.200", "Alibaba metadata"],
    ["100.127.255.255", "shared address space"],
    ["127.0.0.0", "loopback"],
    ["127.0.0.1", "loopback"],
    ["127.255.255.255", "loopback"],
    ["168.63.129.16", "Azure"],
    ["169.254.0.0", "link-local"],
    ["169.254.169.254", "cloud metadata"],
    ["169.254.170.2", "cloud metadata"],
    ["169.254.255.255", "link-local"],
    ["172.16.0.0", "private use"],
    ["172.31.255.255", "private use"],
    ["192.0.0.0", "IETF protocol assignments"],
    ["192.0.0.192", "Oracle metadata"],
    ["192.0.0.255", "IETF protocol assignments"],
    ["192.0.2.0", "TEST-NET-1"],
    ["192.0.2.255", "TEST-NET-1"],
    ["192.88.99.0", "6to4 relay"],
    ["192.88.99.255", "6to4 relay"],
    ["192.168.0.0", "private use"],
    ["192.168.255.255", "private use"],
    ["198.18.0.0", "benchmarking"],
    ["198.19.255.255", "benchmarking"],
    ["198.51.100.0", "TEST-NET-2"],
    ["198.51.100.255", "TEST-NET-2"],
    ["203.0.113.0", "TEST-NET-3"],
    ["203.0.113.255", "TEST-NET-3"],
    ["224.0.0.0", "multicast"],
    ["239.255.255.255", "multicast"],
    ["240.0.0.0", "reserved"],
    ["255.255.255.255", "broadcast"],
    // IANA IPv6 Special-Purpose Address Registry
    ["::", "unspecified"],
    ["::1", "loopback"],
    ["0:0:0:0:0:0:0:1", "loopback"],
    ["::7f00:1", "IPv4-compatible"],
    ["::127.0.0.1", "IPv4-compatible"],
    ["::8.8.8.8", "IPv4-compatible"],
    ["::ffff:127.0.0.1", "loopback"],
    ["::ffff:7f00:1", "loopback"],
    ["::ffff:a9fe:a9fe", "cloud metadata"],
    ["::ffff:10.1.2.3", "private use"],
    ["0:0:0:0:0:ffff:192.168.0.1", "private use"],
    ["::ffff:0:127.0.0.1", "outside global unicast"],
    ["64:ff9b::", "NAT64"],
    ["64:ff9b::7f00:1", "NAT64"],
    ["64:ff9b::169.254.169.254", "NAT64"],
    ["64:ff9b:1::", "NAT64 local use"],
    ["64:ff9b:1:ffff:ffff:ffff:ffff:ffff", "NAT64 local use"],
    ["100::1", "discard"],
    ["100:0:0:1::1", "outside global unicast"],
    ["2001::1", "Teredo"],
    ["2001:0:7f00:1::", "Teredo"],
    ["2001:2::1", "IETF protocol assignments"],
    ["2001:10::1", "ORCHID"],
    ["2001:20::1", "ORCHID"],
    ["2001:1ff:ffff::", "IETF protocol assignments"],
    ["2001:db8::1", "documentation"],
    ["2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "documentation"],
    ["2002:7f00:1::", "6to4"],
    ["2002:a9fe:a9fe::1", "6to4"],
    ["2002:ffff::", "6to4"],
    ["3fff::1", "documentation"],
    ["3fff:fff:ffff::", "documentation"],
    ["4000::1", "outside global unicast"],
    ["5f00::1", "SRv6"],
    ["5f00:ffff::", "SRv6"],
    ["fc00::1", "unique local"],
    ["fd00:ec2::254", "cloud metadata"],
    ["fd20:ce::254", "cloud metadata"],
    ["fdff:ffff::", "unique local"],
    ["fe80::1", "link-local"],
    ["febf:ffff::1", "link-local"],
    ["fec0::1", "site-local"],
    ["ff00::", "multicast"],
    ["ff02::1", "multicast"],
    ["ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "multicast"],
    ["1::1", "outside global unicast"],
    ["1fff:ffff::1", "outside global unicast"],
    // The refused vectors of Svix's is_allowed_test
    ["10.254.0.0", "private use"],
    ["192.168.10.65", "private use"],
    ["172.16.10.65", "private use"],
    ["0.1.2.3", "this network"],
    ["169.254.45.1", "link-local"],
    ["198.51.100.65", "TEST-NET-2"],
    ["203.0.113.6", "TEST-NET-3"],
    ["100.100.0.0", "shared address space"],
    ["250.10.20.30", "reserved"],
    ["::ffff:0.0.0.1", "this network"],
    // Svix allows this address, but IANA has not assigned its range.
    ["0:0:0:ffff::1", "outside global unicast"],
  ])("%s is %s", (text, range) => {
    expect(classOf(text)).toEqual({ kind: "special", range: expect.stringContaining(range) });
  });
});

describe("addresses that are public", () => {
  test.each([
    "1.1.1.1",
    "8.8.8.8",
    "::ffff:8.8.8.8",
    "2001:4860:4860::8888",
    "2606:4700:4700::1111",
    "2a00:1450:4001:831::200e",
    // Next to each range
    "1.0.0.0",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "168.63.129.15",
    "168.63.129.17",
    "169.253.255.255",
    "169.255.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "191.255.255.255",
    "192.0.1.0",
    "192.0.3.0",
    "192.88.98.255",
    "192.88.100.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "198.51.99.255",
    "198.51.101.0",
    "203.0.112.255",
    "203.0.114.0",
    "223.255.255.255",
    "2000::1",
    "2001:200::1",
    "2001:db7:ffff::1",
    "2001:db9::1",
    "2003::1",
    "3ffe::1",
    "3fff:1000::1",
  ])("%s", (text) => {
    expect(classOf(text)).toEqual({ kind: "public" });
  });
});

describe("text that is not an address", () => {
  test.each([
    "",
    "localhost",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "127.0.0.01",
    "127.0.0.1.",
    "127.0.0.256",
    "127.0.0",
    " 127.0.0.1",
    "127.0.0.1\n",
    "①②⑦.⓪.⓪.①",
    "[::1]",
    "::1%lo",
    "fe80::1%eth0",
    "fe80::1%25eth0",
    ":::",
    "::1::",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7::8",
    "12345::",
    "::g",
    "::1.2.3",
    "::1.2.3.4:1",
    "1.2.3.4::",
    ":1",
    "1:",
  ])("%j", (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });
});

describe("the parser accepts the same addresses as the platform's", () => {
  test("for well-formed ones and their value", () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        expect(parseAddress(text)?.family).toBe(isIP(text));
        // The URL parser's normal form of the address has the same value.
        const host = isIP(text) === 6 ? `[${text}]` : text;
        const canonical = new URL(`http://${host}/`).hostname.replace(/^\[|\]$/g, "");
        expect(parseAddress(canonical)).toEqual(parseAddress(text));
      }),
    );
  });

  test("for text that is almost an address", () => {
    const characters = fc.array(fc.constantFrom(":", "::", ".", "0", "1", "f", "255", "ffff", "a9fe", "256", "01"), {
      maxLength: 17,
    });
    fc.assert(
      fc.property(characters, (parts) => {
        const text = parts.join("");
        expect(parseAddress(text)?.family ?? 0).toBe(isIP(text));
      }),
      { numRuns: cases({ commit: 5_000, nightly: 100_000, release: 1_000_000 }) },
    );
  });
});

describe("networks", () => {
  test.each([
    "",
    "10.0.0.0/33",
    "10.0.0.0/-1",
    "10.0.0.0/8/8",
    "10.0.0.0/",
    "10.0.0.0/0x8",
    "fd00::/129",
    "10.0.0.1/8",
    "x/8",
  ])("%j is refused", (text) => expect(parseNetwork(text)).toBeUndefined());

  test.each([
    ["10.0.0.0/8", "10.255.0.1", true],
    ["10.0.0.0/8", "11.0.0.0", false],
    ["10.1.2.3", "10.1.2.3", true],
    ["10.1.2.3", "10.1.2.4", false],
    ["0.0.0.0/0", "203.0.113.1", true],
    ["0.0.0.0/0", "::1", false],
    ["fd00::/8", "fdab::1", true],
    ["::1/128", "::1", true],
    ["::/0", "127.0.0.1", false],
  ])("%s contains %s: %s", (network, address, contained) => {
    expect(isInNetwork(parseAddress(address)!, parseNetwork(network)!)).toBe(contained);
  });
});
