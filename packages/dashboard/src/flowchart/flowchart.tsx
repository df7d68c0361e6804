import {
  Background,
  Controls,
  Handle,
  MarkerType,
  Position,
  ReactFlow,
  type Edge,
  type Node,
  type NodeProps,
} from "@xyflow/react";
import "@xyflow/react/dist/style.css";
import { Bot, CircleStop, GitBranch, Play, UserCheck, Wrench, type LucideIcon } from "lucide-react";
import { memo, useMemo, type ReactElement } from "react";
import { cx } from "../ui/cx.ts";
import { statusWord, type ShownStatus } from "../ui/status-word.ts";
import type { LayoutRequest } from "./layout.ts";
import { useLayout } from "./use-layout.ts";

export type NodeKind = "start" | "end" | "tool_call" | "condition" | "human_review";

/** A node as the chart shows it. */
export interface ShownNode {
  readonly id: string;
  readonly kind: NodeKind;
  readonly title: string;
  /** The action of a call, or the question of a condition. */
  readonly detail?: string | undefined;
  readonly isAgent: boolean;
  /** Of the latest visit; left out for a node without one. */
  readonly status?: ShownStatus | undefined;
  readonly visits: number;
}

export interface ShownEdge {
  readonly from: string;
  readonly to: string;
  readonly branch?: string | undefined;
  readonly isTaken: boolean;
}

interface FlowchartProps {
  readonly nodes: readonly ShownNode[];
  readonly edges: readonly ShownEdge[];
  /** Whether a run is shown, so that what it did not visit is dimmed. */
  readonly hasRun: boolean;
  readonly onOpen?: ((nodeId: string) => void) | undefined;
}

const nodeWidth = 220;
const nodeHeight = 64;

const kinds: Readonly<Record<NodeKind, { readonly word: string; readonly icon: LucideIcon }>> = {
  start: { word: "Start", icon: Play },
  end: { word: "End", icon: CircleStop },
  tool_call: { word: "Tool Call", icon: Wrench },
  condition: { word: "Condition", icon: GitBranch },
  human_review: { word: "Human Review", icon: UserCheck },
};

type StepNode = Node<{ readonly node: ShownNode; readonly isDimmed: boolean }, "step">;

/** A procedure as a chart. It is only looked at: the outline and the timeline tell the same in words. */
export function Flowchart({ nodes, edges, hasRun, onOpen }: FlowchartProps): ReactElement {
  const request = useMemo((): LayoutRequest => {
    return {
      nodes: nodes.map(({ id }) => ({ id, width: nodeWidth, height: nodeHeight })),
      edges: edges.map(({ from, to }) => ({ from, to })),
    };
  }, [nodes, edges]);
  const places = useLayout(request);
  const drawnNodes = useMemo(
    (): StepNode[] =>
      nodes.map((node) => ({
        id: node.id,
        type: "step",
        position: places?.[node.id] ?? { x: 0, y: 0 },
        data: { node, isDimmed: hasRun && node.visits === 0 },
        width: nodeWidth,
        height: nodeHeight,
        ariaLabel: nameOf(node),
      })),
    [nodes, places, hasRun],
  );
  const drawnEdges = useMemo(
    (): Edge[] =>
      edges.map(({ from, to, branch, isTaken }, index) => ({
        id: String(index),
        source: from,
        target: to,
        ...(branch !== undefined && { label: branch }),
        markerEnd: { type: MarkerType.ArrowClosed },
        className: isTaken ? "edge-taken" : hasRun ? "edge-dimmed" : "",
        focusable: false,
        ariaLabel: "",
        domAttributes: { "aria-hidden": true },
      })),
    [edges, hasRun],
  );
  return (
    <div className="h-[70dvh] rounded-panel border border-hairline bg-surface">
      {places !== undefined && (
        <ReactFlow<StepNode>
          aria-label="Flowchart"
          nodes={drawnNodes}
          edges={drawnEdges}
          nodeTypes={nodeTypes}
          nodesDraggable={false}
          nodesConnectable={false}
          edgesFocusable={false}
          elementsSelectable={onOpen !== undefined}
          fitView
          minZoom={0.1}
          onNodeClick={(_event, { id }) => onOpen?.(id)}
        >
          <Background />
          <Controls showInteractive={false} />
        </ReactFlow>
      )}
    </div>
  );
}

function nameOf({ kind, title, status, visits }: ShownNode): string {
  const state = status === undefined ? "" : `, ${statusWord(status)}`;
  const count = visits === 0 ? "" : `, ${visits} ${visits === 1 ? "visit" : "visits"}`;
  return `${kinds[kind].word}: ${title}${state}${count}`;
}

const borders: Readonly<Record<ShownStatus, string>> = {
  running: "border-running bg-running-bg",
  awaiting_review: "border-review bg-review-bg",
  completed: "border-completed",
  failed: "border-failed bg-failed-bg",
  outcome_unknown: "border-unknown bg-unknown-bg",
};

const StepView = memo(function StepView({ data: { node, isDimmed } }: NodeProps<StepNode>): ReactElement {
  const { kind, title, detail, isAgent, status, visits } = node;
  const Icon = isAgent ? Bot : kinds[kind].icon;
  return (
    <div
      className={cx(
        "flex h-16 w-55 items-center gap-2.5 rounded-panel border-2 bg-surface px-3 text-body",
        status === undefined ? "border-control" : borders[status],
        isDimmed && "opacity-45",
      )}
    >
      <Handle type="target" position={Position.Top} isConnectable={false} className="opacity-0" />
      <Icon aria-hidden size={16} className="shrink-0 text-text-2" />
      <span className="min-w-0 flex-1">
        <span className="line-clamp-2 font-semibold">{title}</span>
        {detail !== undefined && <span className="block truncate text-small text-text-2">{detail}</span>}
      </span>
      {visits > 1 && <span className="rounded-full bg-sunken px-1.5 text-small font-semibold">{visits}×</span>}
      <Handle type="source" position={Position.Bottom} isConnectable={false} className="opacity-0" />
    </div>
  );
});

const nodeTypes = { step: StepView };
