import { parseAddress } from "./address.ts";

/** The addresses of names in a hosts file. */
export type Hosts = ReadonlyMap<string, readonly string[]>;

/** Parses a hosts file. Each line has an address and its names; a name may be in several lines. */
export function readHosts(text: string): Hosts {
  const hosts = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    if (parseAddress(address) === undefined) continue;
    for (const name of names.map(hostName)) {
      const addresses = hosts.get(name);
      if (addresses === undefined) hosts.set(name, [address]);
      else addresses.push(address);
    }
  }
  return hosts;
}

/** The normal form of a host name, for comparisons. */
export function hostName(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}
