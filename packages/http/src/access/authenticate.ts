import { ProcedoError } from "@procedo/contract";
import type { Keys, Principal } from "@procedo/engine";
import type { HttpRequest } from "../request/http-request.ts";
import type { FailedAttempts } from "./failed-attempts.ts";

export interface AccessPorts {
  readonly keys: Pick<Keys, "authenticate">;
  readonly failedAttempts: FailedAttempts;
}

/** Longer than any key; what is longer is not looked at. */
const maxKeyLength = 256;

/**
 * Who sent the request. A key counts in the header `Authorization: Bearer <key>` and nowhere else, exactly once: what
 * stands in an address or a cookie ends in logs or is sent by whatever page asks a browser to.
 *
 * @throws ProcedoError `unauthorized`, the same whether there is no key, none that could be one, or one that is nobody's;
 *   `rate_limited` after too many of these
 */
export async function authenticate(ports: AccessPorts, request: HttpRequest): Promise<Principal> {
  const { address } = request;
  const key = bearerKey(request.header("authorization"));
  const principal = key === undefined ? undefined : await ports.keys.authenticate(key);
  if (principal !== undefined) return address === undefined ? principal : { ...principal, address };
  const retryAfterMs = ports.failedAttempts.note(address);
  if (retryAfterMs === undefined) throw new ProcedoError("unauthorized", unauthorized);
  throw new ProcedoError("rate_limited", "Too many attempts with keys that do not exist.", { retryAfterMs });
}

const unauthorized =
  "This needs an API key, sent as Authorization: Bearer <API_KEY>. None was given, or one that does not exist (any more).";

const scheme = "Bearer ";

function bearerKey(header: string | undefined): string | undefined {
  if (header?.startsWith(scheme) !== true || header.length > scheme.length + maxKeyLength) return undefined;
  const key = header.slice(scheme.length);
  return /^[\x21-\x2b\x2d-\x7e]+$/.test(key) ? key : undefined;
}
