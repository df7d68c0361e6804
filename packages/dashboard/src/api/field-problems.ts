import { ApiError } from "./api-error.ts";

/** The problems that the service found in a form, as sentences by the pointer of their field. */
export function fieldProblems(error: unknown): ReadonlyMap<string, string> {
  const details = error instanceof ApiError ? error.details : [];
  return new Map(details.map(({ path, message }) => [path, `This field ${message}.`]));
}
