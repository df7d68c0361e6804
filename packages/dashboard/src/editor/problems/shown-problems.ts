import type { DocumentProblem, ProcedureDocument } from "@procedo/contract";
import { sameJson } from "../draft/same-json.ts";
import { expressionProblems } from "./expression-problems.ts";

/** The problems that the service found in a document. */
interface Found {
  readonly document: unknown;
  readonly problems: readonly DocumentProblem[];
}

/**
 * The problems of a document, errors first. Those of the service if it has checked this document. While a person types,
 * its last ones, with the expressions as they are now.
 */
export function shownProblems(document: ProcedureDocument, found: Found | undefined): readonly DocumentProblem[] {
  const present =
    found !== undefined && sameJson(found.document, document)
      ? found.problems
      : [...expressionProblems(document), ...stillOf(document, found?.problems ?? [])];
  return present.toSorted((a, b) => rank(a) - rank(b));
}

/** Earlier problems of steps that are still there, at their present place. Expressions are checked anew. */
function stillOf(document: ProcedureDocument, problems: readonly DocumentProblem[]): readonly DocumentProblem[] {
  return problems.flatMap((problem): readonly DocumentProblem[] => {
    if (problem.code === "expression") return [];
    if (problem.nodeId === undefined) return [problem];
    const index = document.nodes.findIndex(({ id }) => id === problem.nodeId);
    if (index === -1) return [];
    return [{ ...problem, path: problem.path.replace(/^\/nodes\/\d+/, `/nodes/${index}`) }];
  });
}

function rank({ severity }: DocumentProblem): number {
  return severity === "error" ? 0 : 1;
}

/** Problems and warnings of a field, as sentences. */
export interface FieldMessages {
  readonly problem?: string;
  readonly warning?: string;
}

export function messagesOf(problems: readonly DocumentProblem[]): FieldMessages {
  const messages = (wanted: DocumentProblem["severity"]): string | undefined => {
    const found = problems.filter(({ severity }) => severity === wanted).map(({ message }) => message);
    return found.length === 0 ? undefined : [...new Set(found)].join("\n");
  };
  const [problem, warning] = [messages("error"), messages("warning")];
  return { ...(problem !== undefined && { problem }), ...(warning !== undefined && { warning }) };
}

/** The messages at a field, or below it. `path` is its pointer in the document. */
export function messagesAt(problems: readonly DocumentProblem[], path: string): FieldMessages {
  return messagesOf(problems.filter((one) => one.path === path || one.path.startsWith(`${path}/`)));
}
