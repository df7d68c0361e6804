import type { DocumentProblem } from "@procedo/contract";

/** The worst problem of each step that has one. */
export type ProblemMarks = ReadonlyMap<string, DocumentProblem["severity"]>;

export function problemMarks(problems: readonly DocumentProblem[]): ProblemMarks {
  const marks = new Map<string, DocumentProblem["severity"]>();
  for (const { nodeId, severity } of problems) {
    if (nodeId !== undefined && marks.get(nodeId) !== "error") marks.set(nodeId, severity);
  }
  return marks;
}
