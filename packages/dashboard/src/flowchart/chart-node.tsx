import type { Node, NodeProps } from "@xyflow/react";
import { memo, type ReactElement } from "react";
import { cx } from "../ui/cx.ts";
import { StatusIcon } from "../ui/status-badge.tsx";
import type { ShownStatus } from "../ui/status-word.ts";
import { NodeIcon } from "./node-icon.tsx";
import { captionOf, kindWord } from "./node-kinds.ts";
import type { ShownNode } from "./shown-chart.ts";

export interface ChartNodeData extends Record<string, unknown> {
  readonly node: ShownNode;
  readonly isDimmed: boolean;
  readonly isSelected: boolean;
  readonly canOpen: boolean;
}

const borders: Readonly<Record<ShownStatus, string>> = {
  running: "border-running bg-running-bg",
  awaiting_review: "border-review bg-review-bg",
  completed: "border-completed bg-surface",
  failed: "border-failed bg-failed-bg",
  outcome_unknown: "border-unknown bg-unknown-bg",
};

/** A node: the icon of its kind, its title, and the state of its latest visit. */
export const ChartNode = memo(function ChartNode({
  data: { node, isDimmed, isSelected, canOpen },
}: NodeProps<Node<ChartNodeData>>): ReactElement {
  const { kind, title, detail, status, visits } = node;
  const caption = captionOf(node);
  const isTerminal = kind === "start" || kind === "end";
  return (
    <div
      title={detail === undefined ? `${kindWord(kind)}: ${title}` : `${kindWord(kind)}: ${title}\n${detail}`}
      className={cx(
        "flex h-full w-full items-center gap-2.5 border px-3 text-body",
        isTerminal ? "rounded-full" : "rounded-panel",
        status === undefined ? "border-control bg-surface" : `border-2 ${borders[status]}`,
        isDimmed && "border-dashed text-text-3",
        isSelected && "outline-2 outline-offset-1 outline-accent",
        canOpen ? "cursor-pointer" : "cursor-grab",
      )}
    >
      <NodeIcon node={node} />
      <span className="min-w-0 flex-1 leading-4">
        {caption !== undefined && <span className="block truncate text-small text-text-3">{caption}</span>}
        <span
          className={cx(
            "line-clamp-2 wrap-anywhere",
            !isDimmed && "font-semibold",
            isTerminal && "first-letter:uppercase",
          )}
        >
          {title}
        </span>
      </span>
      {status !== undefined && <StatusIcon status={status} />}
      {visits > 1 && (
        <span className="rounded-full bg-sunken px-1.5 text-small font-semibold tabular-nums">{visits}×</span>
      )}
    </div>
  );
});
