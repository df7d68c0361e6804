import { ProcedoError } from "@procedo/contract";

/**
 * A request's body. JSON has no NaN or Infinity and would silently send null in their place.
 *
 * @throws ProcedoError `inexact_number`; `malformed_request` for a value that JSON cannot hold, such as a cycle
 */
export function encodeJson(value: unknown): string {
  try {
    return JSON.stringify(value, (name, member: unknown) => {
      const fits = typeof member !== "bigint" && (typeof member !== "number" || Number.isFinite(member));
      if (fits) return member;
      throw new ProcedoError("inexact_number", `"${name}" is ${member}, which JSON cannot hold. Send it as a string.`);
    });
  } catch (error) {
    if (ProcedoError.isError(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ProcedoError("malformed_request", `The request cannot be written as JSON: ${reason}`, { cause: error });
  }
}

/**
 * An id as one segment of a path.
 *
 * @throws ProcedoError `malformed_request` for one that would lead to another path
 */
export function pathSegment(name: string, id: string): string {
  if (id !== "" && id !== "." && id !== "..") return encodeURIComponent(id);
  throw new ProcedoError("malformed_request", `"${id}" is not a valid ${name}. Use one that the service returned.`);
}
