import type { HumanReviewNode, JsonObject, ProcedureDocument, ProcedureNode, ToolCallNode } from "@procedo/contract";

/**
 * A short notation for documents: the nodes between `start` and `done`, and the edges as text: `"a > b"`, and
 * `"a:error > b"` for a branch. Without edges the nodes follow each other.
 */
export function procedure(
  nodes: readonly ProcedureNode[],
  options: {
    readonly edges?: readonly string[];
    readonly output?: JsonObject;
    readonly input?: JsonObject;
    readonly procedureId?: string;
    readonly name?: string;
    readonly reference?: string;
  } = {},
): ProcedureDocument {
  const { procedureId = "p", output = {}, input = { type: "object" }, reference } = options;
  const all: ProcedureNode[] = [
    { id: "start", kind: "start" },
    ...nodes,
    ...(nodes.some(({ id }) => id === "done") ? [] : [{ id: "done", kind: "end", output } as const]),
  ];
  const chain = all.slice(1).map(({ id }, index) => `${all[index]?.id ?? ""} > ${id}`);
  const edges = (options.edges ?? chain).map(edgeOf);
  const name = options.name ?? procedureId;
  return {
    schemaVersion: 1,
    procedureId,
    name,
    input,
    ...(reference !== undefined && { reference }),
    nodes: all,
    edges,
  };
}

function edgeOf(text: string): ProcedureDocument["edges"][number] {
  const [source = "", to = ""] = text.split(" > ");
  const [from = "", branch] = source.split(":");
  return branch === undefined ? { from, to } : { from, to, branch };
}

/** A tool call of the scripted bank. */
export function call(
  id: string,
  action: string,
  settings: Partial<Omit<ToolCallNode, "id" | "kind" | "action">> = {},
): ProcedureNode {
  return { id, kind: "tool_call", connection: "bank", action, ...settings };
}

export function review(id: string, settings: Partial<Omit<HumanReviewNode, "id" | "kind">> = {}): ProcedureNode {
  return { id, kind: "human_review", title: `Review ${id}`, ...settings };
}

export function condition(id: string, branches: { readonly [name: string]: string }, otherwise: string): ProcedureNode {
  const named = Object.entries(branches).map(([name, when]) => ({ name, when }));
  return { id, kind: "condition", branches: named, otherwise };
}

export function end(id: string, output: JsonObject = {}): ProcedureNode {
  return { id, kind: "end", output };
}
