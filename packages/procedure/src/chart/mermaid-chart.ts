import type { JsonValue, ProcedureDocument, ProcedureEdge, ProcedureNode } from "@procedo/contract";

/** One visit of a node by a run, as in the run's record. */
export interface ChartedStep {
  /** Id of the node. */
  readonly nodeId: string;
  /** Status of the step. */
  readonly status: "running" | "completed" | "failed" | "awaiting_review";
  /** For a condition: holds the branch that was taken. */
  readonly output?: JsonValue | undefined;
  /** For a tool_call: a person rejected it. @defaultValue false */
  readonly isRejected?: boolean;
}

/**
 * A document as a Mermaid flowchart, or the path of a run through it: the nodes that it visited and how often, the edges that it took,
 * and where it waits or failed. Pure. Nothing in a name or title is read as Mermaid, markup or a link.
 *
 * @param steps in the order in which they began. @defaultValue none: the document alone
 * @example
 * ```ts
 * import { mermaidChart } from "@procedo/procedure";
 *
 * const nodes = [{ id: "start", kind: "start" as const }, { id: "done", kind: "end" as const }];
 *
 * console.log(mermaidChart({ nodes, edges: [{ from: "start", to: "done" }] })); // flowchart TD …
 * ```
 */
export function mermaidChart(
  { nodes, edges }: Pick<ProcedureDocument, "nodes" | "edges">,
  steps: readonly ChartedStep[] = [],
): string {
  const names = new Map(nodes.map(({ id }, index) => [id, `n${index}`]));
  const drawn = edges.filter(({ from, to }) => names.has(from) && names.has(to));
  const taken = takenEdges(drawn, steps);
  const visits = Map.groupBy(steps, ({ nodeId }) => nodeId);
  const lines = ["flowchart TD"];
  for (const node of nodes) {
    const its = visits.get(node.id) ?? [];
    const last = its.at(-1)?.status;
    const shown = [node.title ?? node.id, ...detailOf(node)].map(label);
    if (its.length > 1) shown.push(`${its.length} visits`);
    if (last !== undefined && last !== "completed") shown.push(last.replace("_", " "));
    const [open, close] = shapes[node.kind];
    lines.push(
      `  ${names.get(node.id)}${open}"${shown.join("<br/>")}"${close}${last === undefined ? "" : `:::${last}`}`,
    );
  }
  for (const { from, to, branch } of drawn) {
    const on = branch === undefined ? "" : `|"${label(branch)}"|`;
    lines.push(`  ${names.get(from)} -->${on} ${names.get(to)}`);
  }
  if (steps.length > 0) lines.push(...styles);
  if (taken.size > 0) lines.push(`  linkStyle ${[...taken].sort((a, b) => a - b).join(",")} stroke-width:4px`);
  return `${lines.join("\n")}\n`;
}

const shapes: Readonly<Record<ProcedureNode["kind"], readonly [string, string]>> = {
  start: ["([", "])"],
  end: ["([", "])"],
  tool_call: ["[", "]"],
  condition: ["{", "}"],
  human_review: ["[/", "/]"],
};

const styles = [
  "  classDef completed stroke-width:4px",
  "  classDef failed stroke:red,stroke-width:4px",
  "  classDef running stroke:blue,stroke-width:4px",
  "  classDef awaiting_review stroke:orange,stroke-width:4px",
];

function detailOf(node: ProcedureNode): readonly string[] {
  return node.kind === "tool_call" ? [`${node.connection}: ${node.action}`] : [];
}

/** Positions of the edges that lead from one step to the next. */
function takenEdges(edges: readonly ProcedureEdge[], steps: readonly ChartedStep[]): ReadonlySet<number> {
  const taken = new Set<number>();
  for (const [index, step] of steps.entries()) {
    const next = steps[index + 1];
    if (next === undefined) break;
    const leads = ({ from, to }: ProcedureEdge): boolean => from === step.nodeId && to === next.nodeId;
    const branch = branchOf(step);
    const exact = edges.findIndex((edge) => leads(edge) && edge.branch === branch);
    const found = exact === -1 ? edges.findIndex(leads) : exact;
    if (found !== -1) taken.add(found);
  }
  return taken;
}

function branchOf({ status, output, isRejected }: ChartedStep): string | undefined {
  if (status === "failed") return isRejected === true ? "rejected" : "error";
  const branch = typeof output === "object" && output !== null && "branch" in output ? output.branch : undefined;
  return typeof branch === "string" ? branch : undefined;
}

const longestLabel = 120;

/** Text for the inside of a quoted label: every character with a meaning in Mermaid becomes an entity. */
function label(text: string): string {
  const characters = [...text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\s]+/gu, " ").trim()];
  const shown = characters.length > longestLabel ? [...characters.slice(0, longestLabel), "…"] : characters;
  const encoded = shown
    .map((one) => (/^[\p{L}\p{N}\p{M} .,_-]$/u.test(one) ? one : `#${one.codePointAt(0) ?? 0};`))
    .join("");
  // Mermaid reads a whole line as a direction if the word occurs anywhere in it, even in quotes.
  return encoded.replaceAll("direction", "#100;irection");
}
