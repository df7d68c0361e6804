import type { ApiDocument } from "./document/api-document.ts";
import type { ImportProblem } from "./imported-api.ts";

/** Maximum number of listed problems; the others are counted. */
export const maxProblems = 500;
const maxShown = 80;

export const errorAt = (pointer: string, message: string): ImportProblem => ({ severity: "error", pointer, message });
export const warningAt = (pointer: string, message: string): ImportProblem => ({
  severity: "warning",
  pointer,
  message,
});

export const isError = (problem: ImportProblem): boolean => problem.severity === "error";

/** The same problems as warnings, for a part that calls do not need. */
export const asWarning = (problem: ImportProblem): ImportProblem => ({ ...problem, severity: "warning" });

/** A value of the document for a message: shortened, on one line. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  const text = JSON.stringify(typeof value === "string" ? value.slice(0, maxShown + 1) : value) ?? "nothing";
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}

/** Receives problems as they are found. An array is one. */
export interface ProblemSink {
  push(...problems: readonly ImportProblem[]): unknown;
}

/** Problems of a whole document, without duplicates. The size is bounded for any document. */
export interface ProblemList extends ProblemSink {
  add(problems: Iterable<ImportProblem>): void;
  readonly found: readonly ImportProblem[];
  /** Whether more problems exist than `found` returns. */
  readonly overflowed: boolean;
}

/** Limit per severity. */
const maxKept = 2_000;
const maxPointerLength = 2_000;
const maxMessageLength = 600;

export function createProblemList(): ProblemList {
  const found: ImportProblem[] = [];
  const known = new Map<string, Set<string>>();
  const kept = { error: 0, warning: 0 };
  let overflowed = false;

  function take(given: ImportProblem): void {
    if (kept[given.severity] === maxKept) {
      overflowed = true;
      return;
    }
    const problem = bounded(given);
    const messages = known.get(problem.pointer) ?? new Set();
    known.set(problem.pointer, messages);
    if (messages.has(problem.message)) return;
    messages.add(problem.message);
    kept[problem.severity] += 1;
    found.push(problem);
  }

  return {
    found,
    get overflowed() {
      return overflowed;
    },
    push: (...problems) => problems.forEach(take),
    add(problems) {
      for (const problem of problems) take(problem);
    },
  };
}

/** Names in a document may be as long as the document. */
function bounded(problem: ImportProblem): ImportProblem {
  const { pointer, message } = problem;
  if (pointer.length <= maxPointerLength && message.length <= maxMessageLength) return problem;
  // Keeps the whole steps of a pointer that fit. The shortened pointer still leads to an ancestor.
  const steps =
    pointer.length > maxPointerLength ? pointer.slice(0, maxPointerLength).replace(/\/[^/]*$/, "") : pointer;
  return { ...problem, pointer: steps, message: message.slice(0, maxMessageLength) };
}

/**
 * The reported problems: at most {@link maxProblems}, errors before warnings if there are more, in the document's
 * order, each with line and column if known.
 */
export function listProblems(
  { found, overflowed }: ProblemList,
  document: Pick<ApiDocument, "locate">,
): readonly ImportProblem[] {
  const kept = found.length <= maxProblems ? found : mostImportant(found);
  const placed = kept.map((problem) =>
    problem.line === undefined ? { ...problem, ...document.locate(problem.pointer) } : problem,
  );
  const listed = placed.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
  if (kept.length === found.length && !overflowed) return listed;
  const untold = `${overflowed ? "More than " : ""}${found.length - kept.length}`;
  const message = `${untold} more problems are not listed; correct these first.`;
  return [...listed, warningAt("", message)];
}

function mostImportant(found: readonly ImportProblem[]): readonly ImportProblem[] {
  return [...found.filter(isError), ...found.filter((problem) => !isError(problem))].slice(0, maxProblems);
}
