import { isIP } from "node:net";

/** Explains why a text is not a network in CIDR notation; `undefined` when it is one. Pure. */
export function networkProblem(text: string): string | undefined {
  const [address = "", length, ...rest] = text.split("/");
  const family = isIP(address);
  if (family === 0 || address.includes("%")) return `"${text}" does not start with an IP address`;
  if (length === undefined || rest.length > 0 || !/^\d{1,3}$/.test(length)) return `"${text}" has no prefix length`;
  const bits = family === 4 ? 32 : 128;
  if (Number(length) > bits) return `the prefix of "${text}" is longer than ${bits}`;
  const value = family === 4 ? ipv4Value(address) : ipv6Value(address);
  const behind = BigInt(bits) - BigInt(length);
  return value % (1n << behind) === 0n ? undefined : `"${text}" has bits set after its prefix`;
}

function ipv4Value(address: string): bigint {
  return address.split(".").reduce((value, part) => value * 256n + BigInt(part), 0n);
}

/** The address is valid, so one gap represents all missing groups. */
function ipv6Value(address: string): bigint {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(address);
  const tail = dotted === null ? undefined : ipv4Value(dotted[2] ?? "");
  const text =
    tail === undefined ? address : `${dotted?.[1] ?? ""}${(tail >> 16n).toString(16)}:${(tail & 0xffffn).toString(16)}`;
  const [left = "", right] = text.split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":"));
  const gap = right === undefined ? 0 : 8 - groups(left).length - groups(right).length;
  const all = [...groups(left), ...Array<string>(gap).fill("0"), ...groups(right ?? "")];
  return all.reduce((value, group) => value * 65_536n + BigInt(`0x${group}`), 0n);
}
