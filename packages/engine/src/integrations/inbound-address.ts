import type { Environment } from "@procedo/contract";
import type { Random } from "../ports/random.ts";

/**
 * A new address that another service sends its requests to: of a connection, or of a webhook trigger. It names its
 * environment, and is no credential: the signature of a request is.
 */
export function newInboundAddress(environment: Environment, random: Pick<Random, "bytes">): string {
  return `in_${environment}_${Buffer.from(random.bytes(16)).toString("hex")}`;
}

/** The environment that an address names; `undefined` for a text that is not an address. */
export function environmentOfAddress(address: string): Environment | undefined {
  return /^in_(sandbox|live)_[0-9a-f]{32}$/.exec(address)?.[1] as Environment | undefined;
}

/** The unique key of an address, in the records of its kind. */
export function uniqueAddressOf(address: string): string {
  return JSON.stringify(["inbound", address]);
}
