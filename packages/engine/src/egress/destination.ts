import { kindOf, ProcedoError, quotedValue } from "@procedo/contract";
import { LruCache } from "@procedo/contract/syntax";
import { classifyAddress, isInNetwork, parseAddress, parseNetwork, withoutMapping } from "./address.ts";
import { EgressError } from "./egress-error.ts";
import { refusedPort } from "./refused-ports.ts";

/** The rules for destinations of outgoing requests. Pure: it neither resolves names nor connects. */
export interface DestinationPolicy {
  /**
   * Parses a URL and checks it, except for the addresses of its name. Callers share the result and must not change it.
   *
   * @throws EgressError `destination_not_allowed`
   */
  checkUrl(input: string | URL): URL;
  /**
   * Parses the name or address of a host and checks it, except for the addresses of the name.
   *
   * @returns the host as it is resolved, without brackets
   * @throws EgressError `destination_not_allowed`
   */
  checkHost(host: string): string;
  /** Whether a connection to this address is allowed; `false` for text that is no address. */
  allowsAddress(address: string): boolean;
  /**
   * The addresses of a host that needs no DNS: those of an address, and the loopback addresses for `localhost` and its
   * subdomains (RFC 6761, 6.3). `undefined` for a name that has to be resolved.
   */
  addressesWithoutDns(hostname: string): readonly string[] | undefined;
  /** The error for a host with an address that is not allowed. */
  refusal(host: string): EgressError;
}

const loopback = ["127.0.0.1", "::1"] as const;

/** Number of cached URLs, and the maximum length of one. */
const maxRemembered = 500;
const maxRememberedLength = 2_048;

/**
 * @param options.allowNetworks allowed networks in addition to the public internet, as CIDR (`10.1.0.0/16`)
 * @throws ProcedoError `invalid_configuration` for an invalid network
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
      `${quotedValue(text)} in allowNetworks (PROCEDO_ALLOW_NETWORKS) is not a network. Write CIDR with no bits set after the prefix, such as 10.0.0.0/8 or fd00::/8.`,
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
    // The allowed ones are sufficient: `localhost` must work when only 127.0.0.0/8 is allowed.
    return isLocalhost(host) ? loopback.filter(allowsAddress) : undefined;
  }

  /** URLs that passed the check. Few URLs are used repeatedly, and the result never changes. */
  const checked = new LruCache<string, URL>(maxRemembered);

  function checkUrl(input: string | URL): URL {
    const text = String(input);
    const known = checked.get(text);
    if (known !== undefined) return known;
    const url = judgeUrl(text);
    // Not cached: long URLs, and queries, which differ per request and may contain personal data or keys.
    if (text.length > maxRememberedLength || url.search !== "") return url;
    checked.set(text, url);
    return url;
  }

  function judgeUrl(text: string): URL {
    const url = readUrl(text);
    const service = refusedPort(Number(url.port || (url.protocol === "https:" ? 443 : 80)));
    if (service !== undefined) {
      throw refuse(`Port ${url.port} (${service}) is not allowed for outgoing requests. Use the port of an HTTP API.`);
    }
    refuseKnown(url.hostname);
    return url;
  }

  function checkHost(host: string): string {
    const hostname = readHost(host);
    refuseKnown(hostname);
    return withoutBrackets(hostname);
  }

  /** Refuses a host that needs no DNS to be judged. */
  function refuseKnown(hostname: string): void {
    const known = addressesWithoutDns(hostname);
    if (known !== undefined && (known.length === 0 || !known.every(allowsAddress))) throw refusal(hostname);
  }

  return { checkUrl, checkHost, allowsAddress, addressesWithoutDns, refusal };
}

function readUrl(text: string): URL {
  // The URL parser drops line breaks and reads a backslash as a slash. A URL that needs such repairs is refused.
  if (hasControlOrSpace(text) || text.includes("\\")) {
    throw refuse("The URL has a space, control character or backslash. Percent-encode it.");
  }
  // The URL parser would replace half of a surrogate pair by another character.
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

/** Reads a host as the URL parser does, which knows all spellings of an address. */
function readHost(host: string): string {
  const written = `https://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}/`;
  const isReadable = !hasControlOrSpace(host) && host.isWellFormed() && URL.canParse(written);
  const { hostname, href } = new URL(isReadable ? written : "https://unread.invalid/");
  if (isReadable && !host.includes("\\") && href === `https://${hostname}/`) return hostname;
  throw refuse(`${quotedValue(host)} is not a host. Give a name, such as mail.example.com, or an IP address.`);
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

/** Removes the brackets that `URL` puts around IPv6 addresses; sockets and address rules need none. */
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
