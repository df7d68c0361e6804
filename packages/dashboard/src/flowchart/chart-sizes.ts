/* The sizes of the parts of a chart, in pixels. They are known before anything is drawn. */
import type { LayoutRequest, Size } from "./layout.ts";
import type { ShownChart } from "./shown-chart.ts";

export const nodeSize: Size = { width: 232, height: 60 };

const labelHeight = 20;
const characterWidth = 6.4;
const labelPadding = 14;
const longestLabel = 168;

/** The size of an edge's label, which is cut off when it is longer than the longest. */
function labelSize(branch: string): Size {
  return { width: Math.min(longestLabel, branch.length * characterWidth + labelPadding), height: labelHeight };
}

export function layoutRequest({ nodes, edges }: ShownChart): LayoutRequest {
  return {
    nodes: nodes.map(({ id }) => ({ id, ...nodeSize })),
    edges: edges.map(({ from, to, branch }) => ({
      from,
      to,
      ...(branch !== undefined && { label: labelSize(branch) }),
    })),
  };
}
