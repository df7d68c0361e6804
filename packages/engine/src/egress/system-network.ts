import { Resolver } from "node:dns/promises";
import { connect as connectTcp, type Socket } from "node:net";
import {
  connect as connectTls,
  createSecureContext,
  getCACertificates,
  type ConnectionOptions,
  type SecureContext,
} from "node:tls";

/**
 * Opens a resolver that asks name servers over UDP without a thread. Without `servers` it uses the system's current
 * ones.
 */
export function openResolver(options: {
  readonly timeout: number;
  readonly tries: number;
  readonly servers: readonly string[] | undefined;
}): Pick<Resolver, "resolve4" | "resolve6" | "cancel"> {
  const { servers, ...bounds } = options;
  const resolver = new Resolver(bounds);
  if (servers !== undefined) resolver.setServers(servers);
  return resolver;
}

/** Path of the system's hosts file. */
export const systemHostsFile =
  process.platform === "win32" ? "C:\\Windows\\System32\\drivers\\etc\\hosts" : "/etc/hosts";

/** Opens a TCP connection to one of `addresses` and to nothing else; `hostname` is not resolved again. */
export function openTcp(addresses: readonly string[], port: number): Socket {
  const pinned = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  return connectTcp({
    // This name never reaches a resolver: `lookup` returns the checked addresses.
    host: "checked.invalid",
    lookup: (_hostname, _options, callback) => callback(null, pinned),
    port,
    autoSelectFamily: true,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
  });
}

/** Opens TLS for HTTP over an open connection. */
export function openTls(socket: Socket, hostname: string, authorities: SecureContext): Socket {
  return connectTls({ socket, ...tlsOptions(hostname, authorities), ALPNProtocols: ["http/1.1"] });
}

/** Options of TLS to a host. The certificate must be valid for `hostname`, not for the address of the connection. */
export type TlsOptions = Readonly<
  Pick<ConnectionOptions, "host" | "servername" | "secureContext" | "rejectUnauthorized">
>;

/** Options of TLS to a host whose certificate must be of one of these authorities. */
export function tlsOptions(hostname: string, authorities: SecureContext): TlsOptions {
  const isLiteral = hostname.includes(":") || /^[\d.]+$/.test(hostname);
  return {
    host: hostname,
    // RFC 6066 allows no address as server name. The certificate is then checked against `host`.
    ...(isLiteral ? {} : { servername: hostname.replace(/\.$/, "") }),
    secureContext: authorities,
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot disable the check.
    rejectUnauthorized: true,
  };
}

/**
 * The certificate authorities that Node trusts by default, and `ca` if given. Reading them takes 100 ms of the event loop,
 * so that connections share them.
 */
export function trustedAuthorities(ca: string | undefined): SecureContext {
  const trusted = getCACertificates("default");
  return createSecureContext({ ca: ca === undefined ? trusted : [...trusted, ca] });
}
