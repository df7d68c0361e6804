import { isDeepStrictEqual } from "node:util";
import type { PromptMessage, Raised, Replied, Step } from "@procedo/procedure";
import { budgetOf } from "../agent/agent-step.ts";
import { usedUp } from "../budgets/node-budget.ts";
import { raised } from "../effects/raised.ts";
import { comparablePrompt } from "./comparable-prompt.ts";
import { given, left, type Given } from "./given.ts";
import type { RecordedRun } from "./recorded-run.ts";

export type ModelStep = Extract<Step, { do: "ask_model" }>;

/** What a model replied, as the record has it. */
export function answerModel(
  record: RecordedRun,
  { node, visit, turn, attempt, agent }: ModelStep,
  settings: { readonly strict: boolean; readonly isUnchanged: boolean; readonly nowMs: number },
): Given<Replied | Raised> {
  const used = usedUp(node.id, budgetOf(node), agent);
  if (used !== undefined) return given(raised(node, visit, settings.nowMs, { message: used }));
  const place = { nodeId: node.id, visit, turn };
  const prompt = record.prompt(place);
  const reply = record.reply({ ...place, attempt });
  if (reply === undefined) {
    const failure = settings.isUnchanged ? record.raised(place) : undefined;
    if (failure !== undefined) return given(failure);
    if (prompt !== undefined && !record.hasEnded) return { status: "open" };
    return left(`The agent is asked in turn ${turn}, which the record does not have.`);
  }
  const isReused = !isSame(prompt?.added ?? [], agent.turns.at(-1)?.added ?? []);
  return isReused && settings.strict ? left("The agent is asked something else.") : given(reply, isReused);
}

function isSame(was: readonly PromptMessage[], is: readonly PromptMessage[]): boolean {
  return isDeepStrictEqual(comparablePrompt(was), comparablePrompt(is));
}
