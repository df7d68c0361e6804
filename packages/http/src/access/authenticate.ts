import { ProcedoError } from "@procedo/contract";
import type { HeldKey, Keys, PrivateClient, PrivateConnections } from "@procedo/engine";
import type { HttpRequest } from "../request/http-request.ts";
import type { FailedAttempts } from "./failed-attempts.ts";

export interface AccessPorts {
  readonly keys: Pick<Keys, "hold">;
  readonly privateConnections: Pick<PrivateConnections, "authenticate">;
  readonly failedAttempts: FailedAttempts;
}

/** Longer than any key or token. Longer values are refused unread. */
const maxKeyLength = 256;

/**
 * Returns the key of a request. Only a single header `Authorization: Bearer <key>` is accepted: addresses end up in
 * logs, and browsers send cookies on behalf of any page. The returned key observes its deletion until released, and
 * must be released.
 *
 * @throws ProcedoError `unauthorized`, the same for a missing, malformed or unknown key; `rate_limited` after too many
 *   of these from one address
 */
export async function authenticate(ports: AccessPorts, request: HttpRequest): Promise<HeldKey> {
  const header = request.header("authorization");
  const key = bearerKey(header);
  const held = key === undefined ? undefined : await ports.keys.hold(key);
  if (held === undefined) throw refused(ports, request, otherScheme(header, "<API_KEY>") ?? needsKey);
  return held;
}

/**
 * Returns the client that sent the request. Private connections' tokens are accepted only at the endpoints of their
 * clients, where API keys are not accepted.
 *
 * @throws ProcedoError as {@link authenticate}
 */
export async function authenticateClient(ports: AccessPorts, request: HttpRequest): Promise<PrivateClient> {
  const header = request.header("authorization");
  const token = bearerKey(header);
  const client = token === undefined ? undefined : await ports.privateConnections.authenticate(token);
  if (client === undefined) throw refused(ports, request, otherScheme(header, "<TOKEN>") ?? needsToken);
  return client;
}

function refused({ failedAttempts }: AccessPorts, { address }: HttpRequest, message: string): ProcedoError {
  const retryAfterMs = failedAttempts.note(address);
  if (retryAfterMs === undefined) return new ProcedoError("unauthorized", message);
  return new ProcedoError(
    "rate_limited",
    "This address sent too many invalid keys. Retry after the time in Retry-After.",
    { retryAfterMs },
  );
}

const needsKey = "The API key is missing, unknown or deleted. Send a valid key as Authorization: Bearer <API_KEY>.";
const needsToken =
  "The private connection's token is missing or unknown, or has been regenerated. Send the current token as Authorization: " +
  "Bearer <TOKEN>.";

const scheme = "Bearer ";

/** Scheme names are case-insensitive (RFC 9110, 11.1). */
function bearerKey(header: string | undefined): string | undefined {
  if (header === undefined || header.length > scheme.length + maxKeyLength) return undefined;
  if (header.slice(0, scheme.length).toLowerCase() !== "bearer ") return undefined;
  const key = header.slice(scheme.length);
  return /^[\x21-\x2b\x2d-\x7e]+$/.test(key) ? key : undefined;
}

/**
 * Names the scheme to send instead. Echoes only known scheme names, because a caller may have sent a key in their
 * place.
 */
function otherScheme(header: string | undefined, credential: string): string | undefined {
  const given = /^(Basic|Digest|Negotiate|Token|ApiKey)(?= |$)/i.exec(header ?? "")?.[1];
  if (given === undefined) return undefined;
  return `The scheme ${given} is not accepted. Send Authorization: Bearer ${credential}.`;
}
