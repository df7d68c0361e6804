import type { DocumentProblem, ProcedureDocument } from "@procedo/contract";
import { jsonPointer, pointerTokens } from "@procedo/contract/syntax";
import type { TypedTexts } from "./typed-texts.ts";

/** An unfinished text as a problem, which leads to its field. */
export interface UnfinishedProblem extends DocumentProblem {
  /** The place of the text. */
  readonly place: string;
}

export function isUnfinishedProblem(problem: DocumentProblem): problem is UnfinishedProblem {
  return problem.code === "unfinished_text";
}

/** The unfinished texts as problems: the draft lacks them, so that it is not published before they are finished. */
export function unfinishedProblems(
  unfinished: TypedTexts,
  document: ProcedureDocument | undefined,
): readonly UnfinishedProblem[] {
  return Object.keys(unfinished).map((place) => ({
    severity: "error",
    code: "unfinished_text",
    message: "The text here is not valid yet, so that the draft does not have it.",
    place,
    ...pathOf(place, document),
  }));
}

/** A place names steps and branches, where a path of the document has their positions. */
function pathOf(place: string, document: ProcedureDocument | undefined): Pick<DocumentProblem, "path" | "nodeId"> {
  const [list, nodeId = "", ...field] = pointerTokens(place);
  const index = document?.nodes.findIndex(({ id }) => id === nodeId) ?? -1;
  const node = document?.nodes[index];
  if (list !== "nodes" || node === undefined) return { path: place };
  const [member, name] = field;
  const branch = node.kind === "condition" && member === "branches" && name !== undefined ? name : undefined;
  const at = node.kind === "condition" ? node.branches.findIndex((one) => one.name === branch) : -1;
  return { path: jsonPointer(["nodes", index, ...(at === -1 ? field : field.with(1, String(at)))]), nodeId };
}
