import { parseAddress } from "./address.ts";

/** The addresses of names, as a hosts file has them. */
export type Hosts = ReadonlyMap<string, readonly string[]>;

/** Reads a hosts file: an address in each line, and the names that lead to it. A name may stand in several lines. */
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

/** A name as it is compared. */
export function hostName(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}
