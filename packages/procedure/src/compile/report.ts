import type { Problem, ProblemCode } from "../problems.ts";

/** Collects what is wrong with a document, so that its author learns everything at once. */
export interface Report {
  readonly problems: readonly Problem[];
  /** Whether something keeps the document from being published. */
  readonly hasErrors: boolean;
  error(path: string, code: ProblemCode, message: string): void;
  warning(path: string, code: ProblemCode, message: string): void;
}

export function createReport(): Report {
  const problems: Problem[] = [];
  const add = (severity: Problem["severity"]) => (path: string, code: ProblemCode, message: string) => {
    problems.push({ severity, path, code, message });
  };
  return {
    problems,
    get hasErrors() {
      return problems.some(({ severity }) => severity === "error");
    },
    error: add("error"),
    warning: add("warning"),
  };
}
