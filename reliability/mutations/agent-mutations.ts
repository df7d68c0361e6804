import type { LoopPoint } from "../agent/kills/loop-points.ts";
import type { Mutation } from "./mutation.ts";

/** A bug in an agent's loop, and the proof that has to find it. */
export interface AgentMutation extends Mutation {
  readonly finder: AgentFinder;
}

/** The group, and the size of it that is enough. */
export type AgentFinder =
  | { readonly group: "agent-kills"; readonly deaths: readonly LoopPoint[] }
  | {
      readonly group: "agent-prompt-injection" | "agent-guards" | "agent-unusable-replies" | "agent-secrets";
      readonly seeds: number;
    };

const engine = "engine/src";

function mutation(
  name: string,
  finder: AgentFinder,
  ...edits: readonly (readonly [string, string, string])[]
): AgentMutation {
  return {
    name,
    finder,
    edits: edits.map(([file, search, replace]) => ({ file: `${engine}/${file}`, search, replace })),
  };
}

function deaths(...points: readonly (readonly [LoopPoint["name"], LoopPoint["side"]])[]): AgentFinder {
  const all = points.flatMap(([name, side]) => [0, 1, 2].map((passes) => ({ name, side, passes })));
  return { group: "agent-kills", deaths: all };
}

/** The seeded bugs of seeded-bugs-agent; those of the commit tier come first. */
export const agentMutations: readonly AgentMutation[] = [
  mutation("a reply becomes durable after its call", deaths(["call.made", "done"], ["call.made", "after"]), [
    "runs/execute-call.ts",
    "const abandoned = await execution.commitPending();",
    `const isReply = execution.run.pendingRow.entries[0]?.type === "replied";
  const abandoned = isReply ? undefined : await execution.commitPending();`,
  ]),
  mutation(
    "a model sets an argument that the procedure fixes",
    { group: "agent-prompt-injection", seeds: 16 },
    ["calls/freeze-call.ts", "{ ...proposed, ...fixed }", "{ ...fixed, ...proposed }"],
    ["agent/judge-reply.ts", "if (fixed.has(name))", "if (fixed.has(tool))"],
  ),
  mutation("a call is reserved after its intent", deaths(["reserve.call", "before"]), [
    "calls/propose-call.ts",
    `return "reserve" in prepared ? prepared.entryAfter(await reserveCall(ports, prepared.reserve)) : prepared;`,
    `if (!("reserve" in prepared)) return prepared;
  void reserveCall(ports, prepared.reserve);
  const reserved = prepared.reserve.bounds.map(({ budget, amount }) => ({ budget, amount }));
  return prepared.entryAfter({ status: "reserved", reserved });`,
  ]),
  mutation("one of several calls in a reply is accepted", { group: "agent-unusable-replies", seeds: 20 }, [
    "agent/judge-reply.ts",
    "if (furtherCalls.length > 0) {",
    "if (furtherCalls.length > maxCallsInReply) {",
  ]),
  mutation("a repeated reservation is made a second time", deaths(["reserve.call", "after"]), [
    "budgets/call-settlements.ts",
    "`call:${call.key}:${agent.turns.length}`",
    "`call:${call.key}:${agent.turns.length}:${Math.random()}`",
  ]),
  mutation("the reservation that a call releases is lost", deaths(["outcome", "after"], ["outcome", "before"]), [
    "budgets/call-settlements.ts",
    `if (entry.result.status !== "error" || entry.retryAtMs !== undefined) return undefined;`,
    "if (entry.atMs > 0) return undefined;",
  ]),
  mutation("a model is asked before its prompt is durable", deaths(["model.asked", "arrived"]), [
    "runs/execute-model-turn.ts",
    "const abandoned = await execution.commitPending();",
    "const abandoned = run.pendingRow.entries.length > 3 ? await execution.commitPending() : undefined;",
  ]),
  mutation("no guard checks an agent's proposal", { group: "agent-guards", seeds: 4 }, [
    "calls/propose-call.ts",
    "if (node.guards.length > 0) {",
    "if (node.guards.length > 0 && agent === undefined) {",
  ]),
  mutation("a look-alike tool is accepted", { group: "agent-unusable-replies", seeds: 20 }, [
    "agent/judge-reply.ts",
    "call.toolName !== tool.name",
    `call.toolName.normalize("NFKC").trim() !== tool.name`,
  ]),
  mutation("the second of two members with one name counts", { group: "agent-unusable-replies", seeds: 20 }, [
    "agent/judge-reply.ts",
    "const repeated = repeatedMember(input, value);",
    'const repeated = input === "" ? repeatedMember(input, value) : undefined;',
  ]),
  mutation(
    "an author of data can predict its label",
    { group: "agent-prompt-injection", seeds: 30 },
    ["agent/prompt.ts", "`data-${hash(", "`data-0123456789abcdef` || `data-${hash("],
    ["agent/prompt.ts", "if (!json.includes(label)) return label;", "if (label !== json) return label;"],
  ),
  mutation("a reply keeps the model's key", { group: "agent-secrets", seeds: 4 }, [
    "models/ask-model.ts",
    "secrets.filter(({ length }) => length >= leastSecretChars)",
    "secrets.slice(secrets.length)",
  ]),
  mutation("an unusable reply ends the agent's work", { group: "agent-unusable-replies", seeds: 20 }, [
    "agent/judge-reply.ts",
    `if (mayConclude && text !== "")`,
    `if (text !== "")`,
  ]),
];
