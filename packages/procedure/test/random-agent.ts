import type { SeededRandom } from "@procedo-testing/faults";
import type { AgentNode, Entry, ModelReply, Prompted, Replied, ReplyPart, Step } from "@procedo/procedure";
import { wantsOf } from "@procedo/procedure";
import { asked, frozen, intent, nodeFailed } from "./random-entries.ts";

type AgentStep = Extract<Step, { do: "prompt" | "ask_model" | "judge" }>;

/** A random result of a model or its judge for a step: valid replies, invalid ones, and none. */
export function agentEntries(step: AgentStep, random: SeededRandom, atMs: number): readonly Entry[] {
  switch (step.do) {
    case "prompt":
      if (random.chance(0.03)) return [nodeFailed(step.node, step.visit, atMs)];
      return [prompted(step.node, step.visit, (step.agent?.turns.length ?? 0) + 1, atMs)];
    case "ask_model":
      return [replied(step, random, atMs)];
    case "judge":
      return [judged(step, random, atMs)];
  }
}

function prompted(node: AgentNode, visit: number, turn: number, atMs: number): Prompted {
  const added = [{ role: "user", text: `Turn ${turn}.` }] as const;
  return { type: "prompted", atMs, nodeId: node.id, visit, turn, wants: wantsOf(node), added };
}

function replied(
  { node, visit, turn, attempt }: Extract<Step, { do: "ask_model" }>,
  random: SeededRandom,
  atMs: number,
): Replied {
  const at = { type: "replied", atMs, nodeId: node.id, visit, turn, attempt, latencyMs: random.below(100) } as const;
  const failed = { status: "error", modelId: "m", error: { message: "Overloaded." } } as const;
  switch (random.below(12)) {
    case 0:
      return { ...at, result: failed };
    case 1:
    case 2:
      return { ...at, result: failed, retryAtMs: atMs + 10 };
    default:
      return { ...at, result: { status: "ok", reply: reply(random) } };
  }
}

function reply(random: SeededRandom): ModelReply {
  const parts: readonly ReplyPart[] = [
    { type: "text", text: "So be it." },
    { type: "reasoning", text: "Hm.", providerMetadata: { p: { signature: "s" } } },
    { type: "tool_call", toolCallId: "c1", toolName: "t", input: "{" },
  ];
  return {
    modelId: "m-1",
    provider: "p",
    content: parts.filter(() => random.chance(0.7)),
    finishReason: "stop",
    // Some providers report no usage, and some report invalid numbers.
    usage: { inputTokens: random.pick([0, 50, -1]), outputTokens: random.pick([1, 20.5]) },
  };
}

function judged({ node, visit, agent }: Extract<Step, { do: "judge" }>, random: SeededRandom, atMs: number): Entry {
  const at = { atMs, nodeId: node.id, visit };
  if (random.chance(0.15)) return prompted(node, visit, agent.turns.length + 1, atMs);
  if (random.chance(0.05)) return nodeFailed(node, visit, atMs);
  if (node.kind === "condition") {
    const proposed = { branch: random.pick([...node.to.keys()]), reason: "It fits.", confidence: 0.5 };
    if (random.chance(0.1)) return asked("question", node.id, visit, atMs, { proposed });
    return { type: "branch_taken", ...at, ...proposed };
  }
  const several = (node.agent?.maxCalls ?? 1) > 1 && agent.calls.length > 0;
  if (several && random.chance(0.3)) return { type: "concluded", ...at, text: "That is all." };
  const call = frozen(node.connection, node.action, random);
  if (random.chance(0.1)) {
    const waives = random.chance(0.5) ? ({ waivesLimits: true } as const) : {};
    return asked("guard", node.id, visit, atMs, { call: { ...call, nodeId: node.id, digest: "d" }, ...waives });
  }
  return intent(node.id, visit, agent.calls.length + 1, 1, call, atMs);
}
