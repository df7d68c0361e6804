import type { CompiledProcedure, CompiledToolCall, FrozenCall } from "@procedo/procedure";
import type { ProposingRun } from "../effects/propose-call.ts";
import type { AgentFacts } from "../reviews/ask.ts";
import { textOf } from "./judge-reply.ts";

/** What reviewers are told of a call that an agent has proposed in this visit; `undefined` when none did. */
export function agentFacts(
  { procedure, state }: Pick<ProposingRun, "procedure" | "state">,
  node: CompiledToolCall,
  { args }: Pick<FrozenCall, "args">,
): AgentFacts | undefined {
  const reply = state.agent?.turns.at(-1)?.reply;
  if (reply === undefined) return undefined;
  const fixed = fixedNames(procedure, node);
  const argumentOrigins = Object.fromEntries(
    Object.keys(args).map((name) => [pointerTo(name), fixed.has(name) ? "procedure" : "agent"]),
  );
  return { argumentOrigins, text: textOf(reply) };
}

/** Which arguments the document sets, also where one of them comes to nothing: no model may set them in its place. */
export function fixedNames({ document }: CompiledProcedure, { id }: CompiledToolCall): ReadonlySet<string> {
  const node = document.nodes.find((one) => one.id === id);
  return new Set(node?.kind === "tool_call" ? Object.keys(node.arguments ?? {}) : []);
}

function pointerTo(name: string): string {
  return `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
