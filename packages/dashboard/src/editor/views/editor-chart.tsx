import type { ProcedureDocument } from "@procedo/contract";
import { useMemo, type ReactElement } from "react";
import { ChartCanvas } from "../../flowchart/chart-canvas.tsx";
import { shownChart } from "../../flowchart/shown-chart.ts";
import { useChartLayout } from "../../flowchart/use-chart-layout.ts";
import { Alert } from "../../ui/problem.tsx";

/** The draft as a chart, in which a step can be chosen. The outline tells and does the same. */
export function EditorChart({
  document,
  selectedId,
  onSelect,
}: {
  readonly document: ProcedureDocument;
  readonly selectedId: string | undefined;
  readonly onSelect: (nodeId: string) => void;
}): ReactElement {
  const { nodes, edges, input } = document;
  const chart = useMemo(() => {
    const shown = shownChart({ nodes, edges, input } as Parameters<typeof shownChart>[0]);
    // Only a document from elsewhere has two steps of one id. The chart shows the first.
    const distinct = [...new Map(shown.nodes.toReversed().map((node) => [node.id, node])).values()].toReversed();
    return { nodes: distinct, edges: shown.edges };
  }, [nodes, edges, input]);
  const { layout, shape } = useChartLayout(chart);
  if (layout === "failed") {
    return <Alert tone="review">The chart could not be drawn. The outline shows the same steps in words.</Alert>;
  }
  return (
    <div className="h-[52dvh] min-h-72 min-w-0 min-[87.5rem]:h-[70dvh]" aria-busy={layout === undefined}>
      {layout !== undefined && (
        <ChartCanvas key={shape} {...chart} hasRun={false} layout={layout} selectedId={selectedId} onOpen={onSelect} />
      )}
    </div>
  );
}
