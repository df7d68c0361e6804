import type { ProcedureDocument } from "@procedo/contract";
import { outlineOf, type OutlineEntry } from "../../flowchart/outline.ts";
import {
  branchConditions,
  shownChart,
  type ShownChart,
  type ShownEdge,
  type ShownNode,
} from "../../flowchart/shown-chart.ts";
import { targetOf, waysOf, type Place } from "../document/ways.ts";

/** A line of the outline. `level` counts from 1, as in a tree of the page. */
export type OutlineRow = { readonly key: string; readonly level: number } & (
  | { readonly kind: "step"; readonly node: ShownNode }
  | ({ readonly kind: "branch"; readonly place: Place } & Pick<ShownEdge, "when" | "expression">)
  | {
      /** The way goes on at a step that stands elsewhere. */
      readonly kind: "joins";
      readonly to: ShownNode;
      readonly isLoop: boolean;
    }
  | {
      /** A way that a run may need leads nowhere. */
      readonly kind: "nowhere";
      readonly place: Place;
    }
  | {
      /** Begins the steps that no run reaches. */
      readonly kind: "unreached";
    }
);

/** A document in the order in which people read it, from the start to the ends. Steps that no run reaches come last. */
export function editorOutline(document: ProcedureDocument): readonly OutlineRow[] {
  const { chart, nowhere } = withEveryWay(document);
  const reached = reachedFrom(chart);
  const part = (isIn: (id: string) => boolean): ShownChart => ({
    nodes: chart.nodes.filter(({ id }) => isIn(id)),
    edges: chart.edges.filter(({ from, to }) => isIn(from) && isIn(to)),
  });
  const main = rowsOf(outlineOf(part((id) => reached.has(id))), nowhere, 1, "");
  const apart = part((id) => !reached.has(id));
  if (apart.nodes.length === 0) return main;
  // A way from there to a step that a run reaches is told as one that joins it.
  const joined = chart.edges.filter(({ from, to }) => !reached.has(from) && reached.has(to));
  const stubs = joined.map(({ to }, index) => stubOf(`${joinMark}${index}`, nodeIn(chart, to)));
  const edges = joined.map((edge, index) => ({ ...edge, to: `${joinMark}${index}` }));
  const entries = outlineOf({ nodes: [...apart.nodes, ...stubs], edges: [...apart.edges, ...edges] });
  const targets = new Map(joined.map(({ to }, index) => [`${joinMark}${index}`, nodeIn(chart, to)]));
  return [
    ...main,
    { kind: "unreached", key: "unreached", level: 1 },
    ...rowsOf(entries, nowhere, 1, "unreached", targets),
  ];
}

/** No id of a step begins so. */
const nowhereMark = "?";
const joinMark = "!";

/** The chart with a stub at the end of each needed way that leads nowhere, so that the outline shows its place. */
function withEveryWay(document: ProcedureDocument): {
  readonly chart: ShownChart;
  readonly nowhere: ReadonlyMap<string, Place>;
} {
  const { nodes, edges } = shownChart(document as Parameters<typeof shownChart>[0]);
  const distinct = [...new Map(nodes.toReversed().map((node) => [node.id, node])).values()].toReversed();
  const conditionAt = branchConditions(document as Parameters<typeof branchConditions>[0]);
  const known = new Set(distinct.map(({ id }) => id));
  const leading = { edges: document.edges.filter(({ to }) => known.has(to)) };
  const nowhere = new Map<string, Place>();
  const stubs: ShownNode[] = [];
  const ways: ShownEdge[] = [];
  for (const node of document.nodes) {
    for (const { branch, isRequired } of waysOf(node)) {
      const place: Place = { nodeId: node.id, branch };
      if (!isRequired || targetOf(leading, place) !== undefined) continue;
      const id = `${nowhereMark}${nowhere.size}`;
      nowhere.set(id, place);
      stubs.push({ id, kind: "end", title: "", isAgent: false, visits: 0 });
      ways.push({ from: node.id, to: id, branch, isTaken: false, ...conditionAt(node.id, branch) });
    }
  }
  const order = new Map(
    document.nodes.flatMap((node) => waysOf(node).map(({ branch }, index) => [wayKey(node.id, branch), index])),
  );
  const rank = ({ from, branch }: ShownEdge): number => order.get(wayKey(from, branch)) ?? Number.MAX_SAFE_INTEGER;
  const all = [...edges.filter(({ from, to }) => known.has(from) && known.has(to)), ...ways];
  return { chart: { nodes: [...distinct, ...stubs], edges: all.toSorted((a, b) => rank(a) - rank(b)) }, nowhere };
}

function wayKey(nodeId: string, branch: string | undefined): string {
  return JSON.stringify([nodeId, branch]);
}

function reachedFrom({ nodes, edges }: ShownChart): ReadonlySet<string> {
  const on = Map.groupBy(edges, ({ from }) => from);
  const open = nodes.filter(({ kind }) => kind === "start").map(({ id }) => id);
  const reached = new Set(open);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const { to } of on.get(id) ?? []) {
      if (reached.has(to)) continue;
      reached.add(to);
      open.push(to);
    }
  }
  return reached;
}

function stubOf(id: string, { kind, title }: ShownNode): ShownNode {
  return { id, kind, title, isAgent: false, visits: 0 };
}

function nodeIn({ nodes }: ShownChart, nodeId: string): ShownNode {
  return (
    nodes.find(({ id }) => id === nodeId) ??
    stubOf(nodeId, { id: nodeId, kind: "end", title: nodeId, isAgent: false, visits: 0 })
  );
}

function rowsOf(
  entries: readonly OutlineEntry[],
  nowhere: ReadonlyMap<string, Place>,
  level: number,
  path: string,
  joins: ReadonlyMap<string, ShownNode> = new Map(),
): readonly OutlineRow[] {
  return entries.flatMap((entry, index): readonly OutlineRow[] => {
    const key = `${path}/${index}`;
    if (entry.kind === "jump") return [{ kind: "joins", key, level, to: entry.to, isLoop: entry.isLoop }];
    const { node, branches } = entry;
    const place = nowhere.get(node.id);
    if (place !== undefined) return [{ kind: "nowhere", key, level, place }];
    const joined = joins.get(node.id);
    if (joined !== undefined) return [{ kind: "joins", key, level, to: joined, isLoop: false }];
    return [
      { kind: "step", key: `step ${node.id}`, level, node },
      ...branches.flatMap(({ edge, steps }): readonly OutlineRow[] => [
        {
          kind: "branch",
          key: `branch ${wayKey(edge.from, edge.branch)}`,
          level: level + 1,
          place: { nodeId: edge.from, branch: edge.branch },
          when: edge.when,
          expression: edge.expression,
        },
        ...rowsOf(steps, nowhere, level + 2, `${key}/${edge.branch ?? ""}`, joins),
      ]),
    ];
  });
}
