import type { NodeBudget } from "@procedo/contract";
import { tokensOf, type AgentState } from "@procedo/procedure";

/**
 * Why the agent of a node may not be asked again in this visit; `undefined` if the budget has room for another turn. A
 * turn that has begun is finished: only recorded usage counts, as for a run's limits.
 */
export function usedUp(nodeId: string, budget: NodeBudget, agent: AgentState | undefined): string | undefined {
  if (agent === undefined) return undefined;
  const { modelCalls = Infinity, tokens = Infinity } = budget;
  if (agent.modelCalls >= modelCalls)
    return `The agent of "${nodeId}" has used its budget of ${modelCalls} model calls.`;
  if (tokensUsed(agent) >= tokens) return `The agent of "${nodeId}" has used its budget of ${tokens} tokens.`;
  return undefined;
}

function tokensUsed({ turns }: AgentState): number {
  let sum = 0;
  for (const { reply } of turns) if (reply !== undefined) sum += tokensOf(reply.usage);
  return sum;
}
