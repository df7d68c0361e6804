import type { DocumentProblem } from "@procedo/contract";
import { isUnfinishedProblem } from "../typing/unfinished-problems.ts";

export type EditorViewName = "flowchart" | "input" | "json" | "try";

export function viewNamed(name: string | undefined): EditorViewName {
  return name === "input" || name === "json" || name === "try" ? name : "flowchart";
}

/** The view that shows the place of a problem. */
export function viewOf(problem: DocumentProblem): EditorViewName {
  const { path, nodeId } = problem;
  if (nodeId !== undefined || /^\/(name|description|reference|budgets)\b/.test(path)) return "flowchart";
  if (path === "") return isUnfinishedProblem(problem) ? "json" : "flowchart";
  return path.startsWith("/input") ? "input" : "json";
}
