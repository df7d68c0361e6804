import { statusWord } from "../ui/status-word.ts";
import type { NodeKind, ShownNode } from "./shown-chart.ts";

const words: Readonly<Record<NodeKind, string>> = {
  start: "Start",
  end: "End",
  tool_call: "Tool Call",
  condition: "Condition",
  human_review: "Human Review",
};

export function kindWord(kind: NodeKind): string {
  return words[kind];
}

/** `Tool Call: Pay the invoice, completed, 1 visit`. */
export function nodeName({ kind, title, status, visits }: ShownNode): string {
  const state = status === undefined ? "" : `, ${statusWord(status).toLowerCase()}`;
  const count = visits === 0 ? "" : `, ${visits} ${visits === 1 ? "visit" : "visits"}`;
  return `${kindWord(kind)}: ${title}${state}${count}`;
}

/** The line beside the title: its detail, else its kind. Left out where the title is the kind. */
export function captionOf({ kind, title, detail }: ShownNode): string | undefined {
  if (detail !== undefined) return detail;
  return title.toLowerCase() === kindWord(kind).toLowerCase() ? undefined : kindWord(kind);
}
