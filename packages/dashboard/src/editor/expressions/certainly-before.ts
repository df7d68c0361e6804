import type { ProcedureDocument } from "@procedo/contract";

/** The ids of the steps through which every way from the start to a step leads, in the order of the document. */
export function certainlyBefore({ nodes, edges }: ProcedureDocument, nodeId: string): readonly string[] {
  const ways = Map.groupBy(edges, ({ from }) => from);
  const start = nodes.find(({ kind }) => kind === "start")?.id;
  if (start === undefined) return [];
  const isReached = (without?: string): boolean => {
    const open = start === without ? [] : [start];
    const seen = new Set(open);
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (id === nodeId) return true;
      for (const { to } of ways.get(id) ?? []) {
        if (to === without || seen.has(to)) continue;
        seen.add(to);
        open.push(to);
      }
    }
    return false;
  };
  // Of a step that no run reaches yet, such as one that is being connected, nothing is known.
  if (!isReached()) return nodes.flatMap(({ id }) => (id === nodeId ? [] : [id]));
  return nodes.flatMap(({ id }) => (id !== nodeId && !isReached(id) ? [id] : []));
}
