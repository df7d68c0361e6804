import { Bot, CircleStop, GitBranch, Play, UserCheck, Wrench, type LucideIcon } from "lucide-react";
import type { ReactElement } from "react";
import type { NodeKind, ShownNode } from "./shown-chart.ts";

const icons: Readonly<Record<NodeKind, LucideIcon>> = {
  start: Play,
  end: CircleStop,
  tool_call: Wrench,
  condition: GitBranch,
  human_review: UserCheck,
};

/** The kind of a node, or the robot of a node in which an agent decides. The kind's word stands beside it. */
export function NodeIcon({ node: { kind, isAgent } }: { readonly node: ShownNode }): ReactElement {
  const { [kind]: Icon } = icons;
  const look = "mt-0.5 shrink-0 text-text-3";
  return isAgent ? <Bot aria-hidden size={15} className={look} /> : <Icon aria-hidden size={15} className={look} />;
}
