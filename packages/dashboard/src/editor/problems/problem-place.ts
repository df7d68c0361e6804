import type { DocumentProblem, ProcedureDocument } from "@procedo/contract";
import { nodeOf } from "../document/edit-document.ts";
import { isUnfinishedProblem } from "../typing/unfinished-problems.ts";
import { stepTitle } from "../../flowchart/step-title.ts";
import { fieldWords } from "./field-words.ts";

/** The place of a problem in words, such as "Pay the vendor › Arguments". */
export function problemPlaceWords(document: ProcedureDocument | undefined, problem: DocumentProblem): string {
  const { nodeId, path } = problem;
  const node = document === undefined || nodeId === undefined ? undefined : nodeOf(document, nodeId);
  if (node === undefined) {
    if (path === "") return isUnfinishedProblem(problem) ? "Document as JSON" : "Procedure";
    return path === "/input" ? "Input schema" : path;
  }
  const field = path.startsWith("/edges/") ? "Ways on" : fieldWords(node, path.replace(/^\/nodes\/\d+/, ""));
  return field === "" ? stepTitle(node) : `${stepTitle(node)} › ${field}`;
}
