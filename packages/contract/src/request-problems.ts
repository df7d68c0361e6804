import type * as z from "zod";
import type { ErrorDetail } from "./errors.ts";
import { jsonPointer } from "./json-pointer.ts";

/** A place in a request that does not fit the schema. */
export interface RequestProblem extends ErrorDetail {
  /** `unknown_field`: the schema has no such field. */
  readonly kind: "unknown_field" | "invalid";
}

/** A body of 1 MiB can have as many faults as it has bytes, and describing one takes longer than sending it. */
const maxProblems = 100;

/**
 * The faults of a request or document: the JSON pointer of each place, with a message that reads on from it:
 * `/control/executionTimeout` "must be at least 1000". Messages name the expectation, never the value that was sent.
 *
 * @returns the first 100 problems
 */
export function requestProblems(error: z.ZodError): readonly RequestProblem[] {
  return error.issues
    .slice(0, maxProblems)
    .flatMap((issue) => problemsOf(issue, []))
    .slice(0, maxProblems);
}

type Issue = z.core.$ZodIssue;

function problemsOf(issue: Issue, parent: readonly PropertyKey[]): readonly RequestProblem[] {
  const path = [...parent, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.slice(0, maxProblems).map((key) => ({
      kind: "unknown_field",
      path: jsonPointer([...path, key]),
      message: "is not a known field",
    }));
  }
  const nearest = issue.code === "invalid_union" ? nearestOption(issue.errors) : undefined;
  if (nearest !== undefined && !isOwnMessage(issue)) return nearest.flatMap((inner) => problemsOf(inner, path));
  return [{ kind: "invalid", path: jsonPointer(path), message: messageOf(issue) }];
}

/** The option of a union that was meant, judging by how far the value got in it. Nothing when all failed at once. */
function nearestOption(options: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const depthOf = (issues: readonly Issue[]): number => Math.min(...issues.map(({ path }) => path.length));
  const [first, ...rest] = options.filter((issues) => !issues.some(isWrongType));
  return rest.reduce<readonly Issue[] | undefined>((best, issues) => {
    if (best === undefined) return issues;
    const deeper = depthOf(issues) - depthOf(best);
    return deeper > 0 || (deeper === 0 && issues.length < best.length) ? issues : best;
  }, first);
}

/** The value as a whole is of another type than the option. */
function isWrongType(issue: Issue): boolean {
  return issue.path.length === 0 && (issue.code === "invalid_type" || issue.code === "invalid_value");
}

function messageOf(issue: Issue): string {
  if (isOwnMessage(issue)) return issue.message;
  switch (issue.code) {
    case "invalid_type":
      return issue.message.endsWith("received undefined") ? "is required" : `must be ${withArticle(issue.expected)}`;
    case "invalid_value":
      return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.map(String).join(", ")}`;
    case "invalid_union":
      return "options" in issue && issue.options !== undefined
        ? `must be one of ${issue.options.map(String).join(", ")}`
        : "fits none of the allowed forms";
    case "too_small":
      return `must ${amountOf(issue.origin, issue.inclusive === false ? "more than" : "at least", issue.minimum)}`;
    case "too_big":
      return `must ${amountOf(issue.origin, issue.inclusive === false ? "less than" : "at most", issue.maximum)}`;
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "invalid_format":
      if (issue.format === "regex") return `must match ${issue.pattern}`;
      return `must be ${formats[issue.format] ?? `in the format ${issue.format}`}`;
    case "invalid_key":
      return "has a name that is not allowed";
    default:
      return "is not valid";
  }
}

/** Whether the schema words the problem itself: zod's own messages begin with a capital, ours never do. */
function isOwnMessage(issue: Issue): boolean {
  return /^[a-z]/.test(issue.message);
}

function amountOf(origin: string, bound: string, amount: number | bigint): string {
  const unit = units[origin];
  if (unit === undefined) return `be ${bound} ${amount}`;
  return `have ${bound} ${amount} ${Number(amount) === 1 ? unit : `${unit}s`}`;
}

function withArticle(type: string): string {
  if (type === "int") return "a whole number";
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

const units: Readonly<Record<string, string>> = { string: "character", array: "item" };

const formats: Readonly<Record<string, string>> = {
  uuid: "a UUID v4",
  url: "a URL",
  datetime: "a point in time in ISO 8601, such as 2026-01-31T09:30:00Z",
};
