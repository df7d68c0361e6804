import type { DocumentProblem, ProcedureDocument } from "@procedo/contract";
import { useDeferredValue, useMemo } from "react";
import type { Editor } from "../use-editor.ts";
import { shownProblems } from "./shown-problems.ts";

/** The problems of the document, which follow the typing with a little delay. */
export function useProblems(
  document: ProcedureDocument | undefined,
  { found, draft: { mine } }: Editor,
): readonly DocumentProblem[] {
  const settled = useDeferredValue(document);
  return useMemo(() => {
    if (settled !== undefined) return shownProblems(settled, found);
    return found?.document === mine ? found.problems : [];
  }, [settled, found, mine]);
}
