import { ApiError } from "../api/api-error.ts";
import { problemsByField } from "./form-value.ts";

/** The problems of a refused start by field. The input lies under `/data` of the request. */
export function inputProblems(error: unknown): ReadonlyMap<string, string> {
  if (!(error instanceof ApiError)) return new Map();
  return problemsByField(
    error.details.map(({ path, message }) => ({ path: path.replace(/^\/data(?=\/|$)/, ""), message })),
  );
}
