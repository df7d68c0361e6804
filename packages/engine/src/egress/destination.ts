import { kindOf, ProcedoError, quotedValue } from "@procedo/contract";
import { classifyAddress, isInNetwork, parseAddress, parseNetwork, withoutMapping } from "./address.ts";
import { EgressError } from "./egress-error.ts";
import { refusedPort } from "./refused-ports.ts";

/** Where outgoing requests may go. Pure: it neither resolves names nor connects. */
export interface DestinationPolicy {
  /**
   * Reads a URL and checks all of it that can be judged without resolving its name. Others may be given the same object.
   *
   * @throws EgressError `destination_not_allowed`
   */
  checkUrl(input: string | URL): URL;
  /** Whether a connection to this address is allowed. What is not the canonical text of an address is not. */
  allowsAddress(address: string): boolean;
  /**
   * The addresses that a host stands for without DNS: a literal itself, and the loopback addresses for `localhost` and
   * names under it (RFC 6761, 6.3). Undefined for a name that has to be resolved.
   */
  addressesWithoutDns(hostname: string): readonly string[] | undefined;
  /** The error for a host that leads to an address which is not allowed. */
  refusal(host: string): EgressError;
}

const loopback = ["127.0.0.1", "::1"] as const;

/** Checked URLs that are kept, and their characters. */
const maxRemembered = 500;
const maxRememberedLength = 2_048;

/**
 * @param options.allowNetworks networks beside the public internet that may be reached, as CIDR (`10.1.0.0/16`)
 * @throws ProcedoError `invalid_configuration` for a network that is not one
 */
export function createDestinationPolicy(options: { readonly allowNetworks: readonly string[] }): DestinationPolicy {
  const networks: unknown = options.allowNetworks;
  if (!Array.isArray(networks)) {
    const message = `allowNetworks is ${kindOf(networks)}. Give a list of networks, such as ["10.0.0.0/8"].`;
    throw new ProcedoError("invalid_configuration", message);
  }
  const allowed = (networks as readonly unknown[]).map((text) => {
    const network = typeof text === "string" ? parseNetwork(text) : undefined;
    if (network !== undefined) return network;
    throw new ProcedoError(
      "invalid_configuration",
      `${quotedValue(text)} in allowNetworks (PROCEDO_ALLOW_NETWORKS) is not a network. Write CIDR with no bits behind the prefix, such as 10.0.0.0/8 or fd00::/8.`,
    );
  });

  function allowsAddress(text: string): boolean {
    const address = parseAddress(text);
    if (address === undefined) return false;
    if (classifyAddress(address).kind === "public") return true;
    const unmapped = withoutMapping(address);
    return allowed.some((network) => isInNetwork(unmapped, network) || isInNetwork(address, network));
  }

  function addressesWithoutDns(hostname: string): readonly string[] | undefined {
    const host = withoutBrackets(hostname);
    if (parseAddress(host) !== undefined) return [host];
    // Only the allowed one of the two counts: allowing 127.0.0.0/8 alone has to make `localhost` usable.
    return isLocalhost(host) ? loopback.filter(allowsAddress) : undefined;
  }

  /** The same few addresses are asked for again and again, and the answer never changes. */
  const checked = new Map<string, URL>();

  function checkUrl(input: string | URL): URL {
    const text = String(input);
    const known = checked.get(text);
    if (known !== undefined) return known;
    const url = judgeUrl(text);
    // A query may carry people's data or a key, and as much of it as there is.
    if (text.length > maxRememberedLength || url.search !== "") return url;
    if (checked.size >= maxRemembered) checked.clear();
    checked.set(text, url);
    return url;
  }

  function judgeUrl(text: string): URL {
    const url = readUrl(text);
    const service = refusedPort(Number(url.port || (url.protocol === "https:" ? 443 : 80)));
    if (service !== undefined) {
      throw refuse(`Port ${url.port} (${service}) is not allowed for outgoing requests. Use the port of an HTTP API.`);
    }
    const known = addressesWithoutDns(url.hostname);
    if (known !== undefined && (known.length === 0 || !known.every(allowsAddress))) throw refusal(url.hostname);
    return url;
  }

  return { checkUrl, allowsAddress, addressesWithoutDns, refusal };
}

function readUrl(text: string): URL {
  // The URL parser drops line breaks and reads a backslash as a slash; what it would have to repair is refused.
  if (hasControlOrSpace(text) || text.includes("\\")) {
    throw refuse("The URL has a space, control character or backslash. Percent-encode it.");
  }
  // It stands for no character, and the URL parser would put another one in its place.
  if (!text.isWellFormed()) throw refuse("The URL has half of a surrogate pair. Percent-encode whole characters.");
  if (!/^https?:\/\//i.test(text)) throw refuse("Only http:// and https:// URLs are allowed for outgoing requests.");
  if (!URL.canParse(text))
    throw refuse("The URL cannot be read. Give an absolute one, such as https://api.example.com/v1.");
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") {
    throw refuse("The URL carries credentials (user:password@), which an address cannot have. Remove them.");
  }
  return url;
}

function hasControlOrSpace(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code <= 0x20 || code === 0x7f) return true;
  }
  return false;
}

function isLocalhost(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, "");
  return name === "localhost" || name.endsWith(".localhost");
}

/** `URL` writes IPv6 literals in brackets; sockets and address rules take them bare. */
export function withoutBrackets(hostname: string): string {
  return hostname.startsWith("[") && hostname.endsWith("]") ? hostname.slice(1, -1) : hostname;
}

function refusal(host: string): EgressError {
  const message =
    `"${host}" is not allowed: it leads to a private or reserved network. The operator can add this network to ` +
    "allowNetworks (PROCEDO_ALLOW_NETWORKS of the server).";
  return new EgressError("destination", message, { sent: "no", isPrivateNetwork: true });
}

function refuse(message: string): EgressError {
  return new EgressError("destination", message, { sent: "no" });
}
