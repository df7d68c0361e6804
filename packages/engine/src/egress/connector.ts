import type { Socket } from "node:net";
import type { SecureContext } from "node:tls";
import { ignoreInterimAnswers, type InterimRefusal } from "@procedo/contract";
import type { buildConnector } from "undici";
import type { Clock } from "../ports/clock.ts";
import { withoutBrackets, type DestinationPolicy } from "./destination.ts";
import { EgressError, type EgressFailure } from "./egress-error.ts";
import type { Resolve } from "./name-resolver.ts";
import { openTcp, openTls } from "./system-network.ts";

export interface ConnectorOptions {
  readonly policy: DestinationPolicy;
  readonly resolve: Resolve;
  readonly clock: Pick<Clock, "after">;
  /** The certificate authorities to trust, which are read when they are first needed. */
  readonly authorities: () => SecureContext;
  /** Bound on resolving, connecting and the TLS handshake together, in milliseconds. */
  readonly connectTimeoutMs: number;
}

/**
 * Opens the connections of undici, to checked addresses only (see {@link openSocket}).
 *
 * @param givenUp the signal that aborts when no request waits for a connection to this origin any more
 */
export function createConnector(
  options: ConnectorOptions,
  givenUp: (origin: string) => AbortSignal | undefined,
): buildConnector.connector {
  async function connect(target: Target, isSecure: boolean, attempt: Attempt): Promise<Socket> {
    const tcp = await openTcpTo(target, options, attempt);
    if (!isSecure) return tcp;
    const tls = openTls(tcp, target.host, options.authorities());
    await opened(tls, "secureConnect", attempt.stop, (cause) =>
      failure("tls", `The TLS connection to ${target.shown} could not be established.`, cause),
    );
    return tls;
  }

  return (given, callback) => {
    const { target, isSecure } = readTarget(given);
    const isGivenUp = givenUp(`${given.protocol}//${given.host ?? given.hostname}`);
    void inTime(target, options, isGivenUp, (attempt) => connect(target, isSecure, attempt)).then(
      (socket) => {
        ignoreInterimAnswers(socket, (why) => interimAnswerRefused(target, why));
        callback(null, socket);
      },
      (error: unknown) => callback(asError(error), null),
    );
  };
}

/**
 * Opens a TCP connection to a host whose name was checked. The name is resolved once, all of its addresses must be
 * allowed, only these are connected to, and the address of the open socket is checked again. Therefore no second DNS
 * answer can change the destination, and an IP address, which needs no lookup, passes the same check.
 *
 * @throws EgressError `destination_not_allowed` or `upstream_unreachable`, with `sent: "no"`
 */
export function openSocket(
  { host, port }: { readonly host: string; readonly port: number },
  options: ConnectorOptions,
  givenUp: AbortSignal | undefined,
): Promise<Socket> {
  const target = targetOf(host, port);
  return inTime(target, options, givenUp, (attempt) => openTcpTo(target, options, attempt));
}

/** An attempt to connect. */
interface Attempt {
  /** Aborts when the attempt is given up, or out of time. */
  readonly stop: AbortSignal;
  /** Called once the name is resolved. */
  readonly onResolved: () => void;
}

async function openTcpTo(target: Target, options: ConnectorOptions, { stop, onResolved }: Attempt): Promise<Socket> {
  const addresses = await checkedAddresses(target.host, options, stop);
  onResolved();
  const tcp = openTcp(addresses, target.port);
  await opened(tcp, "connect", stop, (cause) =>
    failure("connect", `The connection to ${target.shown} could not be opened.`, cause),
  );
  if (tcp.remoteAddress === undefined || !options.policy.allowsAddress(tcp.remoteAddress)) {
    tcp.destroy();
    throw options.policy.refusal(target.host);
  }
  return tcp;
}

/** Bounds an attempt by time, and by the interest in it. */
async function inTime(
  target: Target,
  options: ConnectorOptions,
  givenUp: AbortSignal | undefined,
  open: (attempt: Attempt) => Promise<Socket>,
): Promise<Socket> {
  const stop = new AbortController();
  let late = notResolvedInTime(target.host);
  const onResolved = (): void => {
    late = `The connection to ${target.shown} was not open in time.`;
  };
  const cancel = options.clock.after(options.connectTimeoutMs, () => stop.abort(failure("timeout", late)));
  const giveUp = (): void => stop.abort(failure("aborted", `The connection to ${target.shown} was given up.`));
  givenUp?.addEventListener("abort", giveUp, { once: true });
  if (givenUp?.aborted === true) giveUp();
  try {
    return await open({ stop: stop.signal, onResolved });
  } finally {
    cancel();
    givenUp?.removeEventListener("abort", giveUp);
  }
}

/** Bound on the check of an address. A person waits for it, and for storage afterwards. */
const checkMs = 3_000;

/** A destination of requests: a URL, or the host of a service whose protocol is not HTTP. */
export type Destination =
  | string
  | URL
  | {
      /** Name or IP address of the host. */
      readonly host: string;
    };

/**
 * Checks a destination and the addresses of its name without connecting.
 *
 * @throws EgressError `destination_not_allowed`, or `upstream_unreachable` when the name cannot be resolved in time
 */
export async function checkDestination(input: Destination, options: ConnectorOptions): Promise<void> {
  const { policy } = options;
  const isUrl = typeof input === "string" || input instanceof URL;
  const host = isUrl ? withoutBrackets(policy.checkUrl(input).hostname) : policy.checkHost(input.host);
  const stop = new AbortController();
  const limitMs = Math.min(checkMs, options.connectTimeoutMs);
  const cancel = options.clock.after(limitMs, () => stop.abort(failure("timeout", notResolvedInTime(host))));
  await checkedAddresses(host, options, stop.signal).finally(cancel);
}

interface Target {
  /** Name, or address without brackets. */
  readonly host: string;
  readonly port: number;
  /** For error messages. */
  readonly shown: string;
}

function readTarget(given: buildConnector.Options): { readonly target: Target; readonly isSecure: boolean } {
  const isSecure = given.protocol === "https:";
  return { target: targetOf(given.hostname, Number(given.port) || (isSecure ? 443 : 80)), isSecure };
}

function targetOf(hostname: string, port: number): Target {
  return { host: withoutBrackets(hostname), port, shown: `"${hostname}" port ${port}` };
}

async function checkedAddresses(
  host: string,
  { policy, resolve }: ConnectorOptions,
  stop: AbortSignal,
): Promise<readonly string[]> {
  const addresses = policy.addressesWithoutDns(host) ?? (await untilStopped(resolved(host, resolve, stop), stop));
  // One private address among public ones refuses the name, because any of them might be connected to.
  if (addresses.length === 0 || !addresses.every((address) => policy.allowsAddress(address)))
    throw policy.refusal(host);
  return addresses;
}

async function resolved(host: string, resolve: Resolve, stop: AbortSignal): Promise<readonly string[]> {
  const addresses = await resolve(host, stop).catch((cause: unknown) => {
    throw failure("dns", unresolvedMessage(host, cause), cause);
  });
  if (addresses.length === 0) throw failure("dns", unresolvedMessage(host, undefined));
  return addresses;
}

/** Explains a failed lookup: the name may be wrong, or its name servers may be unavailable. */
function unresolvedMessage(host: string, cause: unknown): string {
  switch (cause instanceof Error && "code" in cause ? cause.code : undefined) {
    case "ETIMEOUT":
    case "ECANCELLED":
      return notResolvedInTime(host);
    case "ENOTFOUND":
    case "ENODATA":
    case "EBADNAME":
      return `The name "${host}" could not be resolved: it does not exist, or it has no address.`;
    case "ECONNREFUSED":
      return `The name "${host}" could not be resolved: no name server could be reached.`;
    case "ESERVFAIL":
    case "EREFUSED":
      return `The name "${host}" could not be resolved: its name server failed or refused to answer.`;
    default:
      return `The name "${host}" could not be resolved.`;
  }
}

function notResolvedInTime(host: string): string {
  return `The name "${host}" was not resolved in time: its name server did not answer.`;
}

async function untilStopped<T>(work: Promise<T>, stop: AbortSignal): Promise<T> {
  const stopped = Promise.withResolvers<never>();
  const onStop = () => stopped.reject(asError(stop.reason));
  stop.addEventListener("abort", onStop, { once: true });
  if (stop.aborted) onStop();
  return Promise.race([work, stopped.promise]).finally(() => stop.removeEventListener("abort", onStop));
}

async function opened(
  socket: Socket,
  event: "connect" | "secureConnect",
  stop: AbortSignal,
  fail: (cause: unknown) => EgressError,
): Promise<void> {
  const open = Promise.withResolvers<void>();
  socket.once(event, () => open.resolve());
  // This listener stays on the socket, so that an error before undici adds its own is no uncaught exception.
  socket.on("error", (cause) => open.reject(fail(cause)));
  socket.once("close", () => open.reject(fail(undefined)));
  await untilStopped(open.promise, stop).catch((error: unknown) => {
    socket.destroy();
    throw error;
  });
}

/** The error for invalid interim answers. They follow the request, so it may have been sent. */
function interimAnswerRefused({ host }: Target, why: InterimRefusal): EgressError {
  const message =
    why === "malformed"
      ? `The answer of "${host}" is not valid HTTP: a line of an interim answer (status 1xx) does not end with CR LF.`
      : `The answer of "${host}" began with more than 100 interim answers (status 1xx), or with more than 64 KiB of them.`;
  return new EgressError("response", message, { sent: "maybe" });
}

function failure(kind: EgressFailure, message: string, cause?: unknown): EgressError {
  return new EgressError(kind, message, { sent: "no", cause });
}

function asError(value: unknown): Error {
  return value instanceof Error ? value : new Error("The connection failed.", { cause: value });
}
