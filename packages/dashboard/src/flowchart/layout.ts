/* The places of a flowchart. A document holds none: it is always laid out, so that a chart never differs by them. */
import { graphlib, layout as dagreLayout } from "@dagrejs/dagre";

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** In pixels. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

export interface LayoutRequest {
  readonly nodes: readonly (Size & { readonly id: string })[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly label?: Size | undefined }[];
}

export interface Layout extends Size {
  /** Left upper corners, in the order of the request. */
  readonly nodes: readonly Place[];
  /** In the order of the request. */
  readonly edges: readonly EdgePlace[];
}

export interface EdgePlace {
  /** From the border of a node to the border of the next one. */
  readonly points: readonly Place[];
  /** Centre of the label. */
  readonly label: Place | undefined;
}

/** The same chart always gets the same places. Edges to unknown nodes are left without points. */
export function layOut({ nodes, edges }: LayoutRequest): Layout {
  const graph = new graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: 40, ranksep: 44, edgesep: 24, marginx: 8, marginy: 8 });
  // The library names its nodes by numbers: it fails over names such as `__proto__`.
  const numbers = new Map(nodes.map(({ id }, index) => [id, String(index)]));
  nodes.forEach(({ width, height }, index) => graph.setNode(String(index), { width, height }));
  edges.forEach(({ from, to, label }, index) => {
    const [source, target] = [numbers.get(from), numbers.get(to)];
    if (source === undefined || target === undefined) return;
    graph.setEdge(source, target, { ...label, labelpos: "c" }, String(index));
  });
  dagreLayout(graph);
  const { width = 0, height = 0 } = graph.graph() as Partial<Size>;
  return {
    width,
    height,
    nodes: nodes.map((node, index) => {
      const { x, y } = graph.node(String(index)) as Place;
      return { x: x - node.width / 2, y: y - node.height / 2 };
    }),
    edges: edges.map(({ from, to, label }, index): EdgePlace => {
      const [source, target] = [numbers.get(from), numbers.get(to)];
      if (source === undefined || target === undefined) return { points: [], label: undefined };
      const edge = graph.edge(source, target, String(index)) as Place & { readonly points: readonly Place[] };
      return {
        points: edge.points.map(({ x, y }) => ({ x, y })),
        label: label === undefined ? undefined : { x: edge.x, y: edge.y },
      };
    }),
  };
}
