import type { JsonObject, JsonValue } from "@procedo/contract";
import type { CompiledNode, CompiledProcedure, CompiledToolCall, FrozenCall } from "@procedo/procedure";
import type { ProposingRun } from "../calls/propose-call.ts";
import type { AgentFacts } from "../reviews/open-review.ts";
import { textOf } from "./judge-reply.ts";

/** What reviewers are told of a call that an agent has proposed in this visit; `undefined` when none did. */
export function agentFacts(
  { procedure, state }: Pick<ProposingRun, "procedure" | "state">,
  node: CompiledToolCall,
  { args }: Pick<FrozenCall, "args">,
): AgentFacts | undefined {
  const reply = state.agent?.turns.at(-1)?.reply;
  if (reply === undefined) return undefined;
  return { argumentOrigins: argumentOrigins(procedure, node, args), text: textOf(reply) };
}

/**
 * Where each argument comes from, by its JSON pointer: `agent` where the model wrote it, `procedure` where the document says
 * it, and otherwise what the document makes it of, each `{ path, from }`. A value that the document only passes on is
 * nobody's decision but its source's.
 */
function argumentOrigins(
  { nodes }: CompiledProcedure,
  { agent }: CompiledToolCall,
  args: FrozenCall["args"],
): JsonObject {
  const originOf = (name: string): JsonValue => {
    const paths = agent?.fixed.get(name);
    if (paths === undefined) return "agent";
    return paths.length === 0 ? "procedure" : paths.map((path) => ({ path, from: sourceOf(path, nodes) }));
  };
  return Object.fromEntries(Object.keys(args).map((name) => [pointerTo(name), originOf(name)]));
}

/**
 * Whose word a path's value is: the run's `input` or the `run`'s own facts; what a `service` answered to a mapped call; what
 * an `agent` did (its answer, or what its calls gave); a `person` in a review; or a branch that the `procedure` took.
 */
type Source = "input" | "run" | "service" | "agent" | "person" | "procedure";

function sourceOf(path: string, nodes: ReadonlyMap<string, CompiledNode>): Source {
  const [root = "", nodeId = ""] = path.split(/[.[]/, 2);
  if (root !== "nodes") return root === "input" ? "input" : "run";
  const node = nodes.get(nodeId);
  switch (node?.kind) {
    case "tool_call":
      return node.agent === undefined ? "service" : "agent";
    case "condition":
      return node.question === undefined ? "procedure" : "agent";
    case "human_review":
      return "person";
    default:
      return "procedure";
  }
}

/** Which arguments the document sets, also where one of them comes to nothing: no model may set them in its place. */
export function fixedNames({ document }: CompiledProcedure, { id }: CompiledToolCall): ReadonlySet<string> {
  const node = document.nodes.find((one) => one.id === id);
  return new Set(node?.kind === "tool_call" ? Object.keys(node.arguments ?? {}) : []);
}

function pointerTo(name: string): string {
  return `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
