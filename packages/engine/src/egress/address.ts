import { ProcedoError, quotedValue } from "@procedo/contract";

/**
 * Recognizes addresses outside the public internet. Pure.
 *
 * The tables follow the IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890, RFC 8190). In addition, no
 * IPv6 address outside 2000::/3 is public, whether or not a table contains it.
 */

/** An address as a number, so that a comparison with a network is one shift and one comparison. */
export interface Address {
  readonly family: 4 | 6;
  readonly value: bigint;
}

/** A CIDR network. */
export interface Network {
  readonly family: 4 | 6;
  readonly value: bigint;
  readonly prefix: number;
}

export type AddressClass =
  | { readonly kind: "public" }
  /** `range` names the purpose of the address, in the registry's words. */
  | { readonly kind: "special"; readonly range: string };

const bitsOf = { 4: 32, 6: 128 } as const;

const specialIPv4 = [
  ["0.0.0.0/8", "this network (RFC 791)"],
  ["10.0.0.0/8", "private use (RFC 1918)"],
  ["100.64.0.0/10", "shared address space, carrier-grade NAT and Alibaba metadata (RFC 6598)"],
  ["127.0.0.0/8", "loopback (RFC 1122)"],
  ["168.63.129.16/32", "Azure platform services (Microsoft: what is IP address 168.63.129.16)"],
  ["169.254.0.0/16", "link-local and cloud metadata (RFC 3927)"],
  ["172.16.0.0/12", "private use (RFC 1918)"],
  ["192.0.0.0/24", "IETF protocol assignments and Oracle metadata (RFC 6890)"],
  ["192.0.2.0/24", "documentation TEST-NET-1 (RFC 5737)"],
  ["192.88.99.0/24", "deprecated 6to4 relay anycast (RFC 7526)"],
  ["192.168.0.0/16", "private use (RFC 1918)"],
  ["198.18.0.0/15", "benchmarking (RFC 2544)"],
  ["198.51.100.0/24", "documentation TEST-NET-2 (RFC 5737)"],
  ["203.0.113.0/24", "documentation TEST-NET-3 (RFC 5737)"],
  ["224.0.0.0/4", "multicast (RFC 5771)"],
  ["240.0.0.0/4", "reserved and limited broadcast (RFC 1112, RFC 919)"],
] as const;

const specialIPv6 = [
  ["::/128", "unspecified (RFC 4291)"],
  ["::1/128", "loopback (RFC 4291)"],
  ["::/96", "deprecated IPv4-compatible (RFC 4291)"],
  ["64:ff9b::/96", "NAT64 well-known prefix (RFC 6052)"],
  ["64:ff9b:1::/48", "NAT64 local use (RFC 8215)"],
  ["100::/64", "discard only (RFC 6666)"],
  ["2001::/32", "Teredo (RFC 4380)"],
  ["2001::/23", "IETF protocol assignments, benchmarking, ORCHID, DRIP (RFC 2928)"],
  ["2001:db8::/32", "documentation (RFC 3849)"],
  ["2002::/16", "6to4 (RFC 3056)"],
  ["3fff::/20", "documentation (RFC 9637)"],
  ["5f00::/16", "segment routing SRv6 SIDs (RFC 9602)"],
  ["fc00::/7", "unique local and cloud metadata (RFC 4193)"],
  ["fe80::/10", "link-local (RFC 4291)"],
  ["fec0::/10", "deprecated site-local (RFC 3879)"],
  ["ff00::/8", "multicast (RFC 4291)"],
] as const;

/** Parses the standard text of an address: no octal or short forms of IPv4, no zone id, no brackets. */
export function parseAddress(text: string): Address | undefined {
  const ipv4 = parseIPv4(text);
  if (ipv4 !== undefined) return { family: 4, value: ipv4 };
  const ipv6 = parseIPv6(text);
  return ipv6 === undefined ? undefined : { family: 6, value: ipv6 };
}

function parseIPv4(text: string): bigint | undefined {
  const parts = text.split(".");
  if (parts.length !== 4) return undefined;
  let value = 0n;
  for (const part of parts) {
    if (!/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return undefined;
    value = (value << 8n) | BigInt(part);
  }
  return value;
}

function parseIPv6(text: string): bigint | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map((half) => (half === "" ? [] : half.split(":")));
  if (head === undefined) return undefined;

  const last = (tail ?? head).at(-1);
  if (last?.includes(".")) {
    const embedded = parseIPv4(last);
    if (embedded === undefined) return undefined;
    (tail ?? head).splice(-1, 1, (embedded >> 16n).toString(16), (embedded & 0xffffn).toString(16));
  }

  const written = head.length + (tail?.length ?? 0);
  if (tail === undefined ? written !== 8 : written > 7) return undefined;
  const groups = [...head, ...Array.from({ length: 8 - written }, () => "0"), ...(tail ?? [])];
  let value = 0n;
  for (const group of groups) {
    if (!/^[0-9a-f]{1,4}$/i.test(group)) return undefined;
    value = (value << 16n) | BigInt(`0x${group}`);
  }
  return value;
}

/** Parses `10.0.0.0/8`, `fd00::/8` or a single address; `undefined` for invalid text or bits set after the prefix. */
export function parseNetwork(text: string): Network | undefined {
  const [addressText = "", prefixText, ...rest] = text.split("/");
  const address = parseAddress(addressText);
  if (address === undefined || rest.length > 0) return undefined;
  const bits = bitsOf[address.family];
  if (prefixText === undefined) return { ...address, prefix: bits };
  const prefix = Number(prefixText);
  if (!/^\d{1,3}$/.test(prefixText) || prefix > bits) return undefined;
  const network = { ...address, prefix };
  return BigInt.asUintN(bits - prefix, address.value) === 0n ? network : undefined;
}

/** Whether `allowNetworks` accepts the text: CIDR with no bits set after the prefix, or a single address. Pure. */
export function isNetwork(text: string): boolean {
  return parseNetwork(text) !== undefined;
}

/**
 * Returns a check of whether an address is in one of the networks, which have the form of `allowNetworks`. Text that is
 * no address is in none. Pure.
 *
 * @throws ProcedoError `invalid_configuration` for a text that is no network
 */
export function createNetworks(networks: readonly string[]): (address: string) => boolean {
  const parsed = networks.map((text) => {
    const network = parseNetwork(text);
    if (network !== undefined) return network;
    throw new ProcedoError(
      "invalid_configuration",
      `${quotedValue(text)} is not a network in CIDR, such as 10.0.0.0/8.`,
    );
  });
  return (text) => {
    const address = parseAddress(text);
    if (address === undefined) return false;
    const unmapped = withoutMapping(address);
    return parsed.some((network) => isInNetwork(unmapped, network) || isInNetwork(address, network));
  };
}

/** Whether the text is an address in its standard form, without brackets, port and zone. Pure. */
export function isAddress(text: string): boolean {
  return parseAddress(text) !== undefined;
}

export function isInNetwork(address: Address, network: Network): boolean {
  if (address.family !== network.family) return false;
  const shift = BigInt(bitsOf[network.family] - network.prefix);
  return address.value >> shift === network.value >> shift;
}

/** Converts `::ffff:a.b.c.d` to `a.b.c.d`, because the system sends to that IPv4 address (RFC 4291, 2.5.5.2). */
export function withoutMapping(address: Address): Address {
  const isMapped = address.family === 6 && address.value >> 32n === 0xffffn;
  return isMapped ? { family: 4, value: BigInt.asUintN(32, address.value) } : address;
}

const tables = { 4: readTable(specialIPv4), 6: readTable(specialIPv6) };
const globalUnicast: Network = { family: 6, value: 1n << 125n, prefix: 3 };

export function classifyAddress(address: Address): AddressClass {
  const judged = withoutMapping(address);
  const row = tables[judged.family].find(({ network }) => isInNetwork(judged, network));
  if (row !== undefined) return { kind: "special", range: row.range };
  if (judged.family === 6 && !isInNetwork(judged, globalUnicast)) {
    return { kind: "special", range: "outside global unicast 2000::/3 (RFC 4291, IANA IPv6 Address Space)" };
  }
  return { kind: "public" };
}

function readTable(rows: readonly (readonly [cidr: string, range: string])[]) {
  return rows.map(([cidr, range]) => {
    const network = parseNetwork(cidr);
    if (network === undefined) throw new ProcedoError("internal", `"${cidr}" in the address table is not a network.`);
    return { network, range };
  });
}
