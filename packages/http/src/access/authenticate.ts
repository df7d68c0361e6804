import { ProcedoError } from "@procedo/contract";
import type { HeldPrincipal, HeldSession, Keys, PrivateClient, PrivateConnections, Sessions } from "@procedo/engine";
import type { HttpRequest } from "../request/http-request.ts";
import type { ApplicationSignIn } from "./application-sign-in.ts";
import type { BrowserOrigin } from "./browser-origin.ts";
import { tooManyFailures, type FailedAttempts } from "./failed-attempts.ts";
import type { BrowserCookie } from "./browser-cookie.ts";

export interface AccessPorts {
  /** The application's own sign-in, which replaces sessions; `undefined` if people sign in here. */
  readonly application: ApplicationSignIn | undefined;
  readonly keys: Pick<Keys, "hold">;
  readonly sessions: Pick<Sessions, "hold">;
  readonly privateConnections: Pick<PrivateConnections, "authenticate">;
  readonly failedAttempts: Pick<FailedAttempts, "note">;
  readonly cookie: BrowserCookie;
  readonly browserOrigin: Pick<BrowserOrigin, "check">;
}

/** Longer than any key or token. Longer values are refused unread. */
const maxKeyLength = 256;

/**
 * Returns the key or session of a request. Accepted are a single header `Authorization: Bearer <key or token>`, and the
 * session cookie; nothing in the address, because addresses end up in logs. The returned key or session observes its
 * end until released, and must be released. With `isUse: false`, the request does not prolong a session.
 *
 * @throws ProcedoError `unauthorized`, the same for a missing, malformed, unknown or ended one; `rate_limited` after
 *   too many of these from one address; `malformed_request` for a cookie beside a bearer token; `permission_denied` for
 *   the cookie in a request of another origin
 */
export async function authenticate(
  ports: AccessPorts,
  request: HttpRequest,
  { isUse = true }: { readonly isUse?: boolean } = {},
): Promise<HeldPrincipal> {
  const header = request.header("authorization");
  if (ports.application !== undefined && !isApiKey(bearerKey(header))) {
    return await authenticateByApplication(ports, ports.application, request, header);
  }
  const cookie = cookieOf(ports, request, header);
  const key = cookie ?? bearerKey(header);
  const held =
    key === undefined
      ? undefined
      : await (cookie !== undefined || isSessionToken(key)
          ? ports.sessions.hold(key, { isUse })
          : ports.keys.hold(key, { address: request.address }));
  if (held === undefined) throw refused(ports, request, otherScheme(header, "<API_KEY>") ?? needsKey);
  return held;
}

/**
 * Returns the principal whom the application signed in. A browser attaches the application's cookies to the requests of
 * any page, so that a request without a bearer token must come from a page of the application.
 */
async function authenticateByApplication(
  ports: AccessPorts,
  application: ApplicationSignIn,
  request: HttpRequest,
  authorization: string | undefined,
): Promise<HeldPrincipal> {
  const held = await application.hold(request);
  if (held === undefined) throw refused(ports, request, otherScheme(authorization, "<API_KEY>") ?? needsKey);
  try {
    if (!hasBearer(authorization)) ports.browserOrigin.check(request);
  } catch (error) {
    held.release();
    throw error;
  }
  return held;
}

/**
 * Returns the session of a request, as {@link authenticate} does. API keys are refused unread.
 *
 * @throws ProcedoError as {@link authenticate}
 */
export async function authenticateSession(ports: AccessPorts, request: HttpRequest): Promise<HeldSession> {
  const header = request.header("authorization");
  const cookie = cookieOf(ports, request, header);
  const token = cookie ?? bearerKey(header);
  const session = token !== undefined && isSessionToken(token) ? await ports.sessions.hold(token) : undefined;
  if (session === undefined)
    throw refused(ports, request, otherScheme(header, "<TOKEN>") ?? (isApiKey(token) ? noApiKeys : needsSession));
  return session;
}

function cookieOf(
  { application, cookie, browserOrigin }: AccessPorts,
  request: HttpRequest,
  authorization: string | undefined,
): string | undefined {
  // With a sign-in of its own, the application may have a cookie of any name.
  const token = application === undefined ? cookie.read(request.header("cookie")) : undefined;
  if (token === undefined) return undefined;
  // A reverse proxy may ask the browser for a password of its own, which arrives beside the cookie.
  if (hasBearer(authorization)) {
    const message = "The request has a session cookie and a bearer token. Send one of them.";
    throw new ProcedoError("malformed_request", message);
  }
  browserOrigin.check(request);
  return token;
}

function hasBearer(authorization: string | undefined): boolean {
  return authorization !== undefined && /^bearer\b/i.test(authorization);
}

/** Keys and session tokens differ in their prefixes. */
function isApiKey(key: string | undefined): boolean {
  return key?.startsWith("rsk_") === true;
}

function isSessionToken(key: string): boolean {
  return key.startsWith("ses_");
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
  return retryAfterMs === undefined ? new ProcedoError("unauthorized", message) : tooManyFailures(retryAfterMs);
}

const needsKey =
  "The API key or session is missing or unknown, or has ended. Send a valid key as Authorization: Bearer <API_KEY>, or " +
  "sign in.";
const needsSession =
  "The session is missing or unknown, or has ended. Sign in, and send its cookie, or its token as Authorization: " +
  "Bearer <TOKEN>.";
const noApiKeys =
  "API keys are not accepted here. Sign in, and send the session's cookie, or its token as Authorization: Bearer <TOKEN>.";
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
