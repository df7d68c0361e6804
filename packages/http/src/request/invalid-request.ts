import { ProcedoError, type ErrorCode, type RequestProblem } from "@procedo/contract";

/** What is answered to a query or body, or a result in one, that does not fit its schema: every problem at once. */
export function invalidRequest(
  part: "query" | "body" | "result",
  problems: readonly RequestProblem[],
  code: ErrorCode = envelopeCode(problems),
): ProcedoError {
  const [first] = problems;
  const place = first === undefined || first.path === "" ? "" : ` ${first.path.slice(1)}`;
  const rest = problems.length > 1 ? ` It has ${problems.length} problems; see details.` : "";
  return new ProcedoError(code, `The ${part} does not fit:${place} ${first?.message ?? "is not valid"}.${rest}`, {
    details: problems.map(({ path, message }) => ({ path, message })),
  });
}

function envelopeCode(problems: readonly RequestProblem[]): ErrorCode {
  return problems.some(({ kind }) => kind === "unknown_field") ? "unknown_field" : "malformed_request";
}
