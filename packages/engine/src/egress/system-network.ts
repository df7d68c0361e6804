import { Resolver } from "node:dns/promises";
import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls, getCACertificates } from "node:tls";

/** Asks name servers over UDP, on no thread. Without `servers` it asks those that the system has now. */
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

/** Where the system keeps the addresses of names that no name server is asked for. */
export const systemHostsFile =
  process.platform === "win32" ? "C:\\Windows\\System32\\drivers\\etc\\hosts" : "/etc/hosts";

/** Opens a TCP connection to one of `addresses` and to nothing else; `hostname` is not resolved again. */
export function openTcp(addresses: readonly string[], port: number): Socket {
  const pinned = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  return connectTcp({
    // A name that never reaches a resolver: `lookup` answers what was checked.
    host: "checked.invalid",
    lookup: (_hostname, _options, callback) => callback(null, pinned),
    port,
    autoSelectFamily: true,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
  });
}

/** TLS over an open connection. The certificate has to be valid for `hostname`, whatever address was connected to. */
export function openTls(socket: Socket, hostname: string, certificates: readonly string[]): Socket {
  const isLiteral = hostname.includes(":") || /^[\d.]+$/.test(hostname);
  return connectTls({
    socket,
    host: hostname,
    // RFC 6066 allows no address as server name; the certificate is then checked against `host`.
    ...(isLiteral ? {} : { servername: hostname.replace(/\.$/, "") }),
    ca: [...certificates],
    ALPNProtocols: ["http/1.1"],
    // Said here so that NODE_TLS_REJECT_UNAUTHORIZED cannot switch it off.
    rejectUnauthorized: true,
  });
}

/** The certificate authorities that Node trusts by default, and one more when given. */
export function trustedCertificates(ca: string | undefined): readonly string[] {
  return ca === undefined ? getCACertificates("default") : [...getCACertificates("default"), ca];
}
