import { ProcedoError } from "@procedo/contract";

/** The addresses of the application that take part in an authorization by OAuth. */
export interface AuthorizationUrls {
  /** The page at which a person begins to authorize a connection. */
  start(ticket: string): string;
  /** The redirect URI of OAuth clients. */
  readonly callback: string;
}

/**
 * The addresses under the application's own. The host that a request names is not used. Authorization servers send browsers back
 * to HTTPS, or to the same machine (RFC 8252, 7.3): the code in the address is a secret.
 *
 * @throws ProcedoError `invalid_configuration`
 */
export function authorizationUrls(appUrl: string): AuthorizationUrls {
  const { protocol, hostname } = new URL(appUrl);
  const isLoopback = /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  if (protocol !== "https:" && !isLoopback) {
    const message =
      `The application's address is ${appUrl}. Connections are authorized by OAuth over https only, or on the same ` +
      "machine. Set APP_URL to an https address.";
    throw new ProcedoError("invalid_configuration", message);
  }
  return { start: (ticket) => `${appUrl}/oauth/start/${ticket}`, callback: `${appUrl}/oauth/callback` };
}
