import { ReactFlow, ViewportPortal, type Node, type ReactFlowInstance } from "@xyflow/react";
import "@xyflow/react/dist/base.css";
import { Maximize, Minus, Plus } from "lucide-react";
import { useId, useMemo, useRef, useState, type KeyboardEvent, type ReactElement } from "react";
import { IconButton } from "../ui/button.tsx";
import { ChartEdges } from "./chart-edges.tsx";
import { ChartNode, type ChartNodeData } from "./chart-node.tsx";
import { nodeSize } from "./chart-sizes.ts";
import { firstView, wholeView, type View } from "./chart-view.ts";
import type { Layout, Place } from "./layout.ts";
import { nodeName } from "./node-kinds.ts";
import type { ShownChart, ShownNode } from "./shown-chart.ts";

type CanvasNode = Node<ChartNodeData, "step">;

interface ChartCanvasProps extends ShownChart {
  readonly hasRun: boolean;
  readonly layout: Layout;
  /** The node that is marked, and at which a chart begins that cannot be read whole. */
  readonly selectedId?: string | undefined;
  /** Opens a node: of a run, one that it visited. */
  readonly onOpen?: ((nodeId: string) => void) | undefined;
}

const panStep = 80;
const zoomStep = 1.25;
const [smallestZoom, largestZoom] = [0.02, 2];

/** A chart that is looked at: it can be moved and enlarged, by pointer and keyboard. */
export function ChartCanvas({ nodes, edges, hasRun, layout, selectedId, onOpen }: ChartCanvasProps): ReactElement {
  const box = useRef<HTMLDivElement>(null);
  const [flow, setFlow] = useState<ReactFlowInstance<CanvasNode>>();
  const keysId = useId();
  const drawn = useMemo(
    (): CanvasNode[] =>
      nodes.map((node, index) => ({
        id: node.id,
        type: "step",
        position: layout.nodes[index] ?? { x: 0, y: 0 },
        ...nodeSize,
        data: {
          node,
          isDimmed: hasRun && node.visits === 0,
          isSelected: node.id === selectedId,
          canOpen: onOpen !== undefined && (!hasRun || node.visits > 0),
        },
        ariaLabel: nodeName(node),
        ariaRole: "group",
      })),
    [nodes, layout, hasRun, selectedId, onOpen],
  );
  const boxSize = (): { readonly width: number; readonly height: number } => ({
    width: box.current?.clientWidth ?? 0,
    height: box.current?.clientHeight ?? 0,
  });
  const show = (view: View, instance = flow): void => void instance?.setViewport(view);
  const zoomBy = (factor: number): void => {
    if (flow === undefined) return;
    const { x, y, zoom: before } = flow.getViewport();
    const zoom = Math.min(largestZoom, Math.max(smallestZoom, before * factor));
    const { width, height } = boxSize();
    const moved = (at: number, size: number): number => size / 2 - ((size / 2 - at) * zoom) / before;
    show({ x: moved(x, width), y: moved(y, height), zoom });
  };
  const pan = (x: number, y: number): void => {
    const view = flow?.getViewport();
    if (view !== undefined) show({ ...view, x: view.x + x * panStep, y: view.y + y * panStep });
  };
  const showWhole = (): void => show(wholeView(layout, boxSize()));
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const actions: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => pan(1, 0),
      ArrowRight: () => pan(-1, 0),
      ArrowUp: () => pan(0, 1),
      ArrowDown: () => pan(0, -1),
      "+": () => zoomBy(zoomStep),
      "=": () => zoomBy(zoomStep),
      "-": () => zoomBy(1 / zoomStep),
      "0": showWhole,
    };
    if (!Object.hasOwn(actions, event.key)) return;
    event.preventDefault();
    actions[event.key]?.();
  };
  return (
    <div ref={box} className="relative h-full overflow-hidden rounded-panel border border-hairline bg-surface">
      <ReactFlow<CanvasNode>
        aria-label="Flowchart"
        aria-describedby={keysId}
        tabIndex={0}
        className="focus-visible:-outline-offset-2"
        onKeyDown={onKeyDown}
        nodes={drawn}
        nodeTypes={nodeTypes}
        onInit={(instance) => {
          setFlow(instance);
          show(firstView(layout, boxSize(), presentPlace(nodes, layout, selectedId)), instance);
        }}
        minZoom={smallestZoom}
        maxZoom={largestZoom}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        // The wheel scrolls the page, as everywhere. With Ctrl, and by two fingers, it enlarges.
        zoomOnScroll={false}
        preventScrolling={false}
        zoomOnDoubleClick={false}
        deleteKeyCode={null}
        selectionKeyCode={null}
        multiSelectionKeyCode={null}
        panActivationKeyCode={null}
        proOptions={{ hideAttribution: true }}
        onNodeClick={(_event, { id, data }) => {
          if (data.canOpen) onOpen?.(id);
        }}
      >
        <ViewportPortal>
          <ChartEdges edges={edges} layout={layout} hasRun={hasRun} />
        </ViewportPortal>
      </ReactFlow>
      <p id={keysId} hidden>
        Arrow keys move the chart, plus and minus change its size, 0 shows all of it. The outline shows the same steps
        in words.
      </p>
      <div className="absolute bottom-2 left-2 flex rounded-control border border-hairline bg-surface">
        <IconButton icon={Plus} label="Zoom in" onClick={() => zoomBy(zoomStep)} />
        <IconButton icon={Minus} label="Zoom out" onClick={() => zoomBy(1 / zoomStep)} />
        <IconButton icon={Maximize} label="Fit view" onClick={showWhole} />
      </div>
    </div>
  );
}

const nodeTypes = { step: ChartNode };

/** The middle of the selected node, else of that at which a run is, else of the start. */
function presentPlace(nodes: readonly ShownNode[], { nodes: places }: Layout, selectedId: string | undefined): Place {
  const selected = nodes.findIndex(({ id }) => id === selectedId);
  const open = nodes.findLastIndex(({ status }) => status !== undefined && status !== "completed");
  const ended = nodes.findLastIndex(({ kind, visits }) => kind === "end" && visits > 0);
  const start = nodes.findIndex(({ kind }) => kind === "start");
  const { x, y } = places[[selected, open, ended, start].find((index) => index >= 0) ?? 0] ?? { x: 0, y: 0 };
  return { x: x + nodeSize.width / 2, y: y + nodeSize.height / 2 };
}
