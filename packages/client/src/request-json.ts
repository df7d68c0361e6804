import { ProcedoError } from "@procedo/contract";

/**
 * A request's body. JSON has no NaN or Infinity and would silently send null in their place.
 *
 * @throws ProcedoError `inexact_number`
 */
export function encodeJson(value: unknown): string {
  return JSON.stringify(value, (name, member: unknown) => {
    if (typeof member !== "number" || Number.isFinite(member)) return member;
    throw new ProcedoError("inexact_number", `"${name}" is ${member}, which JSON cannot hold. Send it as a string.`);
  });
}

/**
 * An id as one segment of a path.
 *
 * @throws ProcedoError `malformed_request` for one that would lead to another path
 */
export function pathSegment(name: string, id: string): string {
  if (id !== "" && id !== "." && id !== "..") return encodeURIComponent(id);
  throw new ProcedoError("malformed_request", `"${id}" is no ${name}.`);
}
