import { ProcedoError } from "@procedo/contract";

/** A cookie of the interface, as `Set-Cookie` and `Cookie` write it (RFC 6265). */
export interface BrowserCookie {
  /** Name of the cookie. */
  readonly name: string;
  /**
   * The value in a `Cookie` header; `undefined` without one.
   *
   * @throws ProcedoError `malformed_request` when the header has the cookie twice, so that it is unknown which is meant
   */
  read(header: string | undefined): string | undefined;
  /** The header that stores a value in the browser for `maxAgeMs`: its name and value. */
  set(value: string, maxAgeMs: number): readonly string[];
  /** The header that removes the value from the browser: its name and value. */
  clear(): readonly string[];
}

/** The name of the session cookie. */
export function sessionCookieName(appUrl: string): string {
  return hostName(appUrl, "procedo");
}

/**
 * The cookie that carries a person's session.
 *
 * @param appUrl - base address of the application, as browsers reach it
 */
export function createSessionCookie(appUrl: string): BrowserCookie {
  return createCookie(appUrl, "procedo", "Strict");
}

/**
 * The cookie that binds a sign-in at an identity provider to the browser in which it began. Browsers send it with the
 * request to which the provider redirects them, which comes from another site.
 *
 * @param appUrl - base address of the application, as browsers reach it
 */
export function createSignInCookie(appUrl: string): BrowserCookie {
  return createCookie(appUrl, "procedo-sign-in", "Lax");
}

/**
 * The cookie that binds the authorization of a connection to the browser in which it began. Each authorization has its own,
 * so that several can be in progress in one browser.
 *
 * @param appUrl - base address of the application, as browsers reach it
 * @param state - the state of the authorization, as the browser sent it
 */
export function createAuthorizationCookie(appUrl: string, state: string): BrowserCookie {
  const suffix = /^[\w-]+$/.test(state) ? state.slice(-16) : "";
  return createCookie(appUrl, `procedo-oauth-${suffix}`, "Lax");
}

/**
 * Browsers accept the prefix `__Host-` only from a secure origin, for this very host, the path `/`, and without a
 * `Domain`, so that no other host of the domain can set the cookie.
 */
function hostName(appUrl: string, name: string): string {
  return appUrl.startsWith("http:") ? name : `__Host-${name}`;
}

function createCookie(appUrl: string, plainName: string, sameSite: "Strict" | "Lax"): BrowserCookie {
  const name = hostName(appUrl, plainName);
  const attributes = `Path=/; HttpOnly; SameSite=${sameSite}${appUrl.startsWith("http:") ? "" : "; Secure"}`;
  const written = (value: string, seconds: number): readonly string[] => [
    "Set-Cookie",
    `${name}=${value}; Max-Age=${seconds}; ${attributes}`,
  ];
  return {
    name,
    read: (header) => (header === undefined ? undefined : valueOf(name, header)),
    set: (value, maxAgeMs) => written(value, Math.max(0, Math.floor(maxAgeMs / 1_000))),
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
