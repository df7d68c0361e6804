import { ProcedoError } from "@procedo/contract";

/** The cookie that carries a person's session, as `Set-Cookie` and `Cookie` write it (RFC 6265). */
export interface SessionCookie {
  /** Name of the cookie. */
  readonly name: string;
  /**
   * The session token in a `Cookie` header; `undefined` without one.
   *
   * @throws ProcedoError `malformed_request` when the header has the cookie twice, so that it is unknown which is meant
   */
  read(header: string | undefined): string | undefined;
  /** The header that stores a token in the browser for `maxAgeMs`: its name and value. */
  set(token: string, maxAgeMs: number): readonly string[];
  /** The header that removes the token from the browser: its name and value. */
  clear(): readonly string[];
}

/**
 * The name of the session cookie. Browsers accept the prefix `__Host-` only from a secure origin, for this very host
 * and without a `Domain`, so that no other host of the domain can set the cookie.
 */
export function sessionCookieName(appUrl: string): string {
  return appUrl.startsWith("http:") ? "procedo" : "__Host-procedo";
}

/** @param appUrl - base address of the application, as browsers reach it */
export function createSessionCookie(appUrl: string): SessionCookie {
  const name = sessionCookieName(appUrl);
  const attributes = `Path=/; HttpOnly; SameSite=Strict${appUrl.startsWith("http:") ? "" : "; Secure"}`;
  const written = (token: string, seconds: number): readonly string[] => [
    "Set-Cookie",
    `${name}=${token}; Max-Age=${seconds}; ${attributes}`,
  ];
  return {
    name,
    read: (header) => (header === undefined ? undefined : valueOf(name, header)),
    set: (token, maxAgeMs) => written(token, Math.max(0, Math.floor(maxAgeMs / 1_000))),
    clear: () => written("", 0),
  };
}

function valueOf(name: string, header: string): string | undefined {
  if (!header.includes(name)) return undefined;
  let found: string | undefined;
  for (const pair of header.split(";")) {
    const at = pair.indexOf("=");
    if (at === -1 || pair.slice(0, at).trim() !== name) continue;
    if (found !== undefined) {
      const message = `The cookie ${name} was sent twice. Remove the cookies of this site, and sign in again.`;
      throw new ProcedoError("malformed_request", message);
    }
    found = pair.slice(at + 1).trim();
  }
  return found === "" ? undefined : found;
}
