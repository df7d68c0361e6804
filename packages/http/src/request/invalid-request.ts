import { ProcedoError, type ErrorCode, type RequestProblem } from "@procedo/contract";

/** The answer to a query or body, or a result in one, that does not fit its schema: its problems, all at once up to 100. */
export function invalidRequest(
  part: "query" | "body" | "result",
  problems: readonly RequestProblem[],
  code: ErrorCode = envelopeCode(problems),
): ProcedoError {
  const [first] = problems;
  const place = first === undefined || first.path === "" ? "" : ` ${first.path.slice(1)}`;
  const rest = problems.length > 1 ? ` The details name ${problems.length} problems.` : "";
  return new ProcedoError(code, `The ${part} does not fit:${place} ${first?.message ?? "is not valid"}.${rest}`, {
    details: problems.map(({ path, message }) => ({ path, message })),
  });
}

function envelopeCode(problems: readonly RequestProblem[]): ErrorCode {
  return problems.some(({ kind }) => kind === "unknown_field") ? "unknown_field" : "malformed_request";
}
