import type { ReactElement } from "react";
import { Alert } from "../ui/problem.tsx";
import { ChartCanvas } from "./chart-canvas.tsx";
import { OutlineView } from "./outline-view.tsx";
import type { ShownChart } from "./shown-chart.ts";
import { useChartLayout } from "./use-chart-layout.ts";

interface FlowchartProps extends ShownChart {
  /** Whether a run is shown, so that the parts that it did not visit are dimmed. */
  readonly hasRun: boolean;
  /** Opens a step that the run visited. */
  readonly onOpen?: ((nodeId: string) => void) | undefined;
}

/** A procedure as a chart, and beside it the same in words. */
export function Flowchart({ nodes, edges, hasRun, onOpen }: FlowchartProps): ReactElement {
  const { layout, shape } = useChartLayout({ nodes, edges });
  const outline = <OutlineView {...{ nodes, edges, hasRun, onOpen }} />;
  if (layout === "failed") {
    return (
      <div className="flex flex-col gap-4">
        <Alert tone="review">The chart could not be drawn. The outline shows the same steps in words.</Alert>
        {outline}
      </div>
    );
  }
  return (
    <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(17rem,22rem)]">
      <div className="h-[60dvh] min-h-80 min-w-0 lg:h-[72dvh] print:hidden" aria-busy={layout === undefined}>
        {layout !== undefined && <ChartCanvas key={shape} {...{ nodes, edges, hasRun, layout, onOpen }} />}
      </div>
      {outline}
    </div>
  );
}
