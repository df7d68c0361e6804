/* A flowchart in the order in which people read it: what comes after branches that meet again follows them. */
import { meetingPoints } from "./meeting-points.ts";
import type { ShownChart, ShownEdge, ShownNode } from "./shown-chart.ts";

export interface OutlineStep {
  readonly kind: "step";
  readonly node: ShownNode;
  /** The ways on, where there is more than one. */
  readonly branches: readonly OutlineBranch[];
}

export interface OutlineBranch {
  readonly edge: ShownEdge;
  /** Empty if the branch leads to the step after all branches. */
  readonly steps: readonly OutlineEntry[];
}

/** Leads to a step that stands elsewhere in the outline: an earlier one in a loop, or one of another branch. */
export interface OutlineJump {
  readonly kind: "jump";
  readonly to: ShownNode;
  /** Whether the step is on the way to the jump, so that the jump closes a loop. */
  readonly isLoop: boolean;
}

export type OutlineEntry = OutlineStep | OutlineJump;

export function outlineOf({ nodes, edges }: ShownChart): readonly OutlineEntry[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const known = edges.filter(({ from, to }) => byId.has(from) && byId.has(to));
  const waysOn = Map.groupBy(known, ({ from }) => from);
  const meeting = meetingPoints(
    nodes.map(({ id }) => id),
    known,
  );
  const listed = new Set<string>();

  /** The steps from a node on, up to `end`, where other branches join. */
  const walk = (first: string, end: string | undefined, way: ReadonlySet<string>): readonly OutlineEntry[] => {
    const entries: OutlineEntry[] = [];
    const onWay = new Set(way);
    let at: string | undefined = first;
    while (at !== undefined && at !== end) {
      const node = byId.get(at);
      if (node === undefined) break;
      if (listed.has(at)) {
        entries.push({ kind: "jump", to: node, isLoop: onWay.has(at) });
        break;
      }
      listed.add(at);
      onWay.add(at);
      const ways: readonly ShownEdge[] = waysOn.get(at) ?? [];
      if (ways.length < 2) {
        entries.push({ kind: "step", node, branches: [] });
        at = ways[0]?.to;
        continue;
      }
      const meet: string | undefined = meeting.get(at);
      const branches = ways.map((edge) => ({ edge, steps: walk(edge.to, meet, onWay) }));
      entries.push({ kind: "step", node, branches });
      at = meet;
    }
    return entries;
  };

  const none = new Set<string>();
  const starts = [...nodes.filter(({ kind }) => kind === "start"), ...nodes];
  return starts.flatMap(({ id }) => (listed.has(id) ? [] : walk(id, undefined, none)));
}
