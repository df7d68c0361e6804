import type { ProcedureDocument } from "@procedo/contract";
import { waysOf, type Place } from "../document/ways.ts";
import type { OutlineRow } from "./editor-outline.ts";

/** The step to which a row belongs; `undefined` for a row of none. */
export function stepOfRow(row: OutlineRow): string | undefined {
  switch (row.kind) {
    case "step":
      return row.node.id;
    case "branch":
    case "nowhere":
      return row.place.nodeId;
    case "joins":
      return row.to.id;
    case "unreached":
      return undefined;
  }
}

/** The place behind which a new step comes, where the row is chosen. */
export function placeOfRow(row: OutlineRow, document: ProcedureDocument): Place | undefined {
  if (row.kind === "branch" || row.kind === "nowhere") return row.place;
  if (row.kind !== "step") return undefined;
  const node = document.nodes.find(({ id }) => id === row.node.id);
  const way = node === undefined ? undefined : waysOf(node)[0];
  return way === undefined ? undefined : { nodeId: row.node.id, branch: way.branch };
}

/** The key of the row that shows a step. */
export function rowKeyOf(nodeId: string): string {
  return `step ${nodeId}`;
}
