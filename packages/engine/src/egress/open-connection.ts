import type { Socket } from "node:net";
import { classifyAddress, parseAddress } from "./address.ts";
import { openSocket, type ConnectorOptions } from "./connector.ts";
import { EgressError } from "./egress-error.ts";
import { tlsOptions, type TlsOptions } from "./system-network.ts";

/** A connection to a service whose protocol is not HTTP. */
export interface EgressConnect {
  /** Name or IP address of the host. */
  readonly host: string;
  /** The TCP port, 1 to 65535. The caller restricts it to the ports of its protocol. */
  readonly port: number;
  /** Gives up an attempt to connect. @defaultValue it ends with its own time limit only */
  readonly signal?: AbortSignal;
  /** Called when the connection is open, and by {@link GuardedConnection.beforeSend}. A returned string is the reason to stop. */
  readonly beforeSend?: () => string | undefined;
}

/**
 * An open connection to an allowed address. It belongs to the caller, who destroys the socket, or the TLS socket over it,
 * when the signal of the call aborts. The client does not: a TLS handshake whose socket is destroyed below it crashes Node.
 */
export interface GuardedConnection {
  /** The open TCP connection, without TLS. */
  readonly socket: Socket;
  /**
   * Options for `tls.connect` over this socket: the name that the certificate must have, and the authorities that are
   * trusted. Other options may be added, but none of these may be changed.
   */
  readonly tls: TlsOptions;
  /** Whether the address is on the public internet; `false` in a network that the operator allowed. */
  readonly isPublic: boolean;
  /**
   * Call it immediately before bytes that have an effect, because a conversation before them takes time.
   *
   * @throws EgressError `withheld` when the call may not be made any more
   */
  readonly beforeSend: () => void;
}

/** Opens a connection to an allowed address. @throws EgressError with `sent: "no"` */
export async function openConnection(
  { host, port, signal, beforeSend }: EgressConnect,
  options: ConnectorOptions,
): Promise<GuardedConnection> {
  const name = options.policy.checkHost(host);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new EgressError("request", `${port} is not a port. Give a whole number from 1 to 65535.`, { sent: "no" });
  }
  const tls = tlsOptions(name, options.authorities());
  const socket = await openSocket({ host: name, port }, options, signal);
  const check = (): void => {
    const withheld = beforeSend?.();
    if (withheld === undefined) return;
    const message = `Nothing was sent to "${name}" port ${port}: ${withheld}`;
    throw new EgressError("withheld", message, { sent: "no" });
  };
  try {
    check();
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return { socket, tls, isPublic: isPublic(socket), beforeSend: check };
}

function isPublic({ remoteAddress = "" }: Socket): boolean {
  const address = parseAddress(remoteAddress);
  return address !== undefined && classifyAddress(address).kind === "public";
}
