import type { IncomingMessage } from "node:http";
import { kindOf, ProcedoError } from "@procedo/contract";
import { createNetworks, isAddress } from "@procedo/engine";

/** Returns the address of a request's sender; `undefined` for a connection that has ended. */
export type CallerAddress = (request: Pick<IncomingMessage, "socket" | "headers">) => string | undefined;

/**
 * Reads the sender's address from the connection. If that is the address of a trusted proxy, the sender is the last
 * address of `X-Forwarded-For` that is not one: each proxy appends the address that it saw, and everything before may be
 * forged. Where a text that is no address, or nothing, comes first, the connection's address counts.
 *
 * @param trustedProxies networks in CIDR, or single addresses
 * @throws ProcedoError `invalid_configuration` for anything else
 */
export function createCallerAddress(trustedProxies: readonly string[] = []): CallerAddress {
  const given: unknown = trustedProxies;
  if (!Array.isArray(given) || given.some((network) => typeof network !== "string")) {
    const message = `The option trustedProxies is ${kindOf(given)}. Give a list of networks, such as ["10.0.0.7/32"].`;
    throw new ProcedoError("invalid_configuration", message);
  }
  const isTrusted = createNetworks(trustedProxies);
  return ({ socket, headers }) => {
    const own = withoutMapping(socket.remoteAddress);
    if (trustedProxies.length === 0 || own === undefined || !isTrusted(own)) return own;
    const forwarded = String(headers["x-forwarded-for"] ?? "").split(",");
    const sender = forwarded.findLast((entry) => !isTrusted(entry.trim()))?.trim() ?? "";
    return isAddress(sender) ? withoutMapping(sender.toLowerCase()) : own;
  };
}

/** Returns an IPv4 address in its own form, also on a dual-stack listener. */
function withoutMapping(address: string | undefined): string | undefined {
  return address?.replace(/^::ffff:(?=\d+\.)/, "");
}
