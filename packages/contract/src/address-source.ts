/** Returns the /64 network of an IPv6 address, because a caller usually controls a whole /64. Pure. */
export function sourceOf(address: string): string {
  if (!address.includes(":") || address.includes(".")) return address;
  const [left = "", right] = address.split("%")[0]?.split("::") ?? [];
  const groups = left.split(":");
  if (right === undefined) return groups.slice(0, 4).join(":");
  const behind = right === "" ? [] : right.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - behind.length) }, () => "0");
  return [...groups, ...zeros, ...behind].slice(0, 4).join(":");
}
