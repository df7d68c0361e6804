import type { JsonObject, JsonValue } from "@procedo/contract";
import { jsonPointer } from "@procedo/contract/syntax";
import type { CompiledNode, CompiledProcedure, CompiledToolCall, FrozenCall } from "@procedo/procedure";
import type { ProposingRun } from "../calls/propose-call.ts";
import type { AgentFacts } from "../reviews/open-review.ts";
import { textOf } from "./judge-reply.ts";

/**
 * The facts that reviewers see about a call that an agent proposed in this visit; `undefined` if no agent proposed it.
 */
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
 * The origin of each argument, by its JSON pointer: `agent` where the model wrote the value, `procedure` where the
 * document contains it, else the list of the paths that the document computes it from, each `{ path, from }`. A value
 * that the document only passes on is attributed to its source.
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
  return Object.fromEntries(Object.keys(args).map((name) => [jsonPointer([name]), originOf(name)]));
}

/**
 * The source of a path's value: the run's `input`, the `run`'s own facts, a `service` that answered a mapped call, an
 * `agent` (its answer, or the results of its calls), a `person` in a review, or the `procedure`, which took a branch.
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

/** The arguments that the document sets, including those whose expression yields no value: no model may set them. */
export function fixedNames({ document }: CompiledProcedure, { id }: CompiledToolCall): ReadonlySet<string> {
  const node = document.nodes.find((one) => one.id === id);
  return new Set(node?.kind === "tool_call" ? Object.keys(node.arguments ?? {}) : []);
}
