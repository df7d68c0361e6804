import { isDeepStrictEqual } from "node:util";
import type { Entry, PromptMessage } from "@procedo/procedure";
import { budgetOf } from "../agent/agent-step.ts";
import { withCallsMade } from "../agent/calls-made.ts";
import { usedUp } from "../budgets/node-budget.ts";
import { nodeFailed } from "../calls/node-failed.ts";
import { comparablePrompt } from "./comparable-prompt.ts";
import { diverged, fromRecord, type RecordedAnswer } from "./recorded-answer.ts";
import { exhaustedBudget } from "./recorded-budgets.ts";
import type { RecordedRun } from "./recorded-run.ts";
import type { TakeTurn, ModelStep } from "./take-turn.ts";

/** The model's reply from the record, if the budgets of this version allow the request. */
export async function answerModel(
  record: RecordedRun,
  step: ModelStep,
  settings: {
    readonly strict: boolean;
    readonly isUnchanged: boolean;
    readonly nowMs: number;
    readonly takeTurn: TakeTurn;
  },
): Promise<RecordedAnswer<Entry>> {
  const { node, visit, turn, attempt, agent } = step;
  const { nowMs, isUnchanged, strict, takeTurn } = settings;
  const used = usedUp(node.id, budgetOf(node), agent);
  if (used !== undefined) return fromRecord(withCallsMade(nodeFailed(node, visit, nowMs, { message: used }), agent));
  const place = { nodeId: node.id, visit, turn };
  const prompt = record.prompt(place);
  const reply = record.reply({ ...place, attempt });
  const failure = reply === undefined && isUnchanged ? record.nodeFailed(place) : undefined;
  if (failure !== undefined && exhaustedBudget(failure) === undefined) return fromRecord(failure);
  const refused = await takeTurn(step, { prompt, reply, failure });
  if (refused !== undefined) return fromRecord(refused);
  if (reply === undefined) {
    if (prompt !== undefined && !record.hasEnded) return { status: "open" };
    return diverged(`The agent is asked in turn ${turn}, which the record does not have.`);
  }
  const isReused = !isSame(prompt?.added ?? [], agent.turns.at(-1)?.added ?? []);
  return isReused && strict ? diverged("The prompt of the agent differs.") : fromRecord(reply, isReused);
}

function isSame(was: readonly PromptMessage[], is: readonly PromptMessage[]): boolean {
  return isDeepStrictEqual(comparablePrompt(was), comparablePrompt(is));
}
