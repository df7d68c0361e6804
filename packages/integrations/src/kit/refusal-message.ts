/**
 * A sentence about a call that the service refused, for people: whose fault it is by the status, and the service's own
 * reason.
 *
 * @param service - its name, such as `GoCardless`
 * @param reason - the service's words
 * @example
 * refusalMessage("GoCardless", 401, "The token is revoked.");
 * // "GoCardless did not accept the credentials: The token is revoked."
 */
export function refusalMessage(service: string, status: number, reason: string): string {
  const text = reason.replaceAll(/\s+/g, " ").trim().replace(/\.$/, "");
  return `${service} ${verdictOf(status)}${text === "" ? "" : `: ${text}`}.`;
}

function verdictOf(status: number): string {
  if (status === 401) return "did not accept the credentials";
  if (status === 403) return "does not permit the call";
  if (status === 404) return "does not have the object";
  if (status === 429) return "has had too many requests";
  return status >= 500 ? "failed" : "refused the call";
}
