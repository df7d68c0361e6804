import type { Problem, ProblemCode } from "../problems.ts";

/** Collects what is wrong with a document, so that its author learns everything at once. */
export interface Report {
  /** At most {@link problemLimit} errors and as many warnings, and one more of each that says so. */
  readonly problems: readonly Problem[];
  /** Whether further errors are not listed any more, so need not be looked for. */
  readonly isFull: boolean;
  /** Whether something keeps the document from being published. */
  readonly hasErrors: boolean;
  error(path: string, code: ProblemCode, message: string): void;
  warning(path: string, code: ProblemCode, message: string): void;
}

/** Problems of one severity that are listed of one document. */
export const problemLimit = 200;

export function createReport(): Report {
  const problems: Problem[] = [];
  const counts = { error: 0, warning: 0 };
  const add = (severity: Problem["severity"]) => (path: string, code: ProblemCode, message: string) => {
    counts[severity] += 1;
    if (counts[severity] <= problemLimit) problems.push({ severity, path, code, message });
    if (counts[severity] !== problemLimit + 1) return;
    const more = `There are more than ${problemLimit} ${severity}s; the others are not listed.`;
    problems.push({ severity, path: "", code, message: more });
  };
  return {
    problems,
    get isFull() {
      return counts.error > problemLimit;
    },
    get hasErrors() {
      return counts.error > 0;
    },
    error: add("error"),
    warning: add("warning"),
  };
}
