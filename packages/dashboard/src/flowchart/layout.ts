/* The places of a flowchart's nodes. A document holds none: it is always laid out, so that a chart never differs by them. */
import { graphlib, layout as dagreLayout } from "@dagrejs/dagre";

export interface ChartNode {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

export interface ChartEdge {
  readonly from: string;
  readonly to: string;
}

export interface LayoutRequest {
  readonly nodes: readonly ChartNode[];
  readonly edges: readonly ChartEdge[];
}

/** Left upper corner of a node, in pixels. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Places by node id. The same chart always gets the same places. */
export function layOut({ nodes, edges }: LayoutRequest): Readonly<Record<string, Place>> {
  const graph = new graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: 32, ranksep: 56, marginx: 16, marginy: 16 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height } of nodes) graph.setNode(id, { width, height });
  edges.forEach(({ from, to }, index) => graph.setEdge(from, to, {}, String(index)));
  dagreLayout(graph);
  return Object.fromEntries(
    nodes.map(({ id, width, height }) => {
      const { x, y } = graph.node(id) as Place;
      return [id, { x: x - width / 2, y: y - height / 2 }];
    }),
  );
}
