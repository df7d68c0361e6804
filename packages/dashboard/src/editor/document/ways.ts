import type { ProcedureDocument, ProcedureEdge, ProcedureNode } from "@procedo/contract";

/** A way out of a step: its plain one, or that of a branch. */
export interface Way {
  /** Left out for the plain way. */
  readonly branch?: string | undefined;
  /** Whether a run may need it, so that a document without it cannot be published. */
  readonly isRequired: boolean;
}

/** A way out of a step, as the place of the next step. */
export interface Place {
  readonly nodeId: string;
  readonly branch?: string | undefined;
}

/** The ways out of a step, in the order in which people read them. */
export function waysOf(node: ProcedureNode): readonly Way[] {
  switch (node.kind) {
    case "end":
      return [];
    case "start":
    case "human_review":
      return [{ isRequired: true }];
    case "tool_call":
      return [{ isRequired: true }, { branch: "error", isRequired: false }, { branch: "rejected", isRequired: false }];
    case "condition": {
      const names = new Set(node.branches.map(({ name }) => name));
      if (node.otherwise !== undefined) names.add(node.otherwise);
      return [...names].map((branch) => ({ branch, isRequired: true }));
    }
  }
}

/** Whether an edge takes the way. */
export function isAt({ from, branch }: ProcedureEdge, place: Place): boolean {
  return from === place.nodeId && branch === place.branch;
}

/** The step to which a way leads; `undefined` if it leads nowhere. */
export function targetOf({ edges }: Pick<ProcedureDocument, "edges">, place: Place): string | undefined {
  return edges.find((edge) => isAt(edge, place))?.to;
}
