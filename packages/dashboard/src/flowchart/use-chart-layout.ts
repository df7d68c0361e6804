import { useMemo } from "react";
import { layoutRequest } from "./chart-sizes.ts";
import type { Layout } from "./layout.ts";
import type { ShownChart } from "./shown-chart.ts";
import { useLayout } from "./use-layout.ts";

/** The layout of a chart, and the shape that it is of. A chart whose states or titles change keeps its places. */
export function useChartLayout({ nodes, edges }: ShownChart): {
  readonly layout: Layout | "failed" | undefined;
  readonly shape: string;
} {
  const shape = JSON.stringify(layoutRequest({ nodes, edges }));
  const request = useMemo(() => JSON.parse(shape) as ReturnType<typeof layoutRequest>, [shape]);
  return { layout: useLayout(request), shape };
}
