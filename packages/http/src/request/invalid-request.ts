import { ProcedoError, type ErrorCode, type RequestProblem } from "@procedo/contract";

/** Creates the error for a query, body or result that does not match its schema, with up to 100 problems. */
export function invalidRequest(
  part: "query" | "body" | "result",
  problems: readonly RequestProblem[],
  code: ErrorCode = envelopeCode(problems),
): ProcedoError {
  const [first] = problems;
  const place = first === undefined || first.path === "" ? "" : ` ${first.path.slice(1)}`;
  const rest = problems.length > 1 ? ` The details list ${problems.length} problems.` : "";
  return new ProcedoError(code, `The ${part} is invalid:${place} ${first?.message ?? "is not valid"}.${rest}`, {
    details: problems.map(({ path, message }) => ({ path, message })),
  });
}

function envelopeCode(problems: readonly RequestProblem[]): ErrorCode {
  return problems.some(({ kind }) => kind === "unknown_field") ? "unknown_field" : "malformed_request";
}
