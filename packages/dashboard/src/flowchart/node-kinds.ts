import { Bot, CircleStop, GitBranch, Play, UserCheck, Wrench, type LucideIcon } from "lucide-react";
import { statusWord } from "../ui/status-word.ts";
import type { NodeKind, ShownNode } from "./shown-chart.ts";

const kinds: Readonly<Record<NodeKind, { readonly word: string; readonly icon: LucideIcon }>> = {
  start: { word: "Start", icon: Play },
  end: { word: "End", icon: CircleStop },
  tool_call: { word: "Tool Call", icon: Wrench },
  condition: { word: "Condition", icon: GitBranch },
  human_review: { word: "Human Review", icon: UserCheck },
};

export function kindWord(kind: NodeKind): string {
  return kinds[kind].word;
}

export function iconOf({ kind, isAgent }: Pick<ShownNode, "kind" | "isAgent">): LucideIcon {
  return isAgent ? Bot : kinds[kind].icon;
}

/** `Tool Call: Pay the invoice, completed, 1 visit`. */
export function nodeName({ kind, title, status, visits }: ShownNode): string {
  const state = status === undefined ? "" : `, ${statusWord(status).toLowerCase()}`;
  const count = visits === 0 ? "" : `, ${visits} ${visits === 1 ? "visit" : "visits"}`;
  return `${kindWord(kind)}: ${title}${state}${count}`;
}
