import {
  tokensOf,
  type CompiledProcedure,
  type ReservedAmount,
  type StepError,
  type TokenUsage,
} from "@procedo/procedure";
import type { BudgetSettlement, Scope } from "@procedo/storage";
import { dayAt } from "./calendar-day.ts";
import { onDay, type BudgetPorts } from "./reserve-call.ts";
import { tokensIn } from "./token-estimate.ts";

/** One attempt to ask a model. */
export interface TurnToReserve {
  readonly scope: Scope;
  readonly runId: string;
  readonly nodeId: string;
  readonly visit: number;
  readonly turn: number;
  readonly attempt: number;
  /**
   * How often the run has lost its worker. An attempt that was lost with a worker may have been made and keeps its
   * amounts.
   */
  readonly recoveries: number;
  /** Characters of everything that the model receives: the whole conversation and the tools. */
  readonly promptCharacters: number;
  readonly maxOutputTokens: number;
  readonly atMs: number;
}

/** A reservation in the procedure's budgets of the day. */
export interface ReservedTurn {
  readonly ok: true;
  readonly key: string;
  readonly amounts: readonly ReservedAmount[];
}

export type TurnReservation = ReservedTurn | { readonly ok: false; readonly error: StepError };

/**
 * Reserves one attempt to ask a model in the procedure's budgets of the day: 1 model call, and the estimated maximum of
 * its tokens. Must be called when the prompt is durable, before the model is asked. A repetition for the same attempt
 * reserves nothing more. An attempt after the loss of a worker is a different attempt.
 *
 * @returns `undefined` if the procedure has no such budget; `ok: false` with the node's error if a budget has no room
 * @throws ProcedoError `storage_unavailable`, after which the reservation may be repeated
 */
export async function reserveTurn(
  ports: BudgetPorts,
  { document }: CompiledProcedure,
  turn: TurnToReserve,
): Promise<TurnReservation | undefined> {
  const perDay = document.budgets?.day;
  if (perDay?.modelCalls === undefined && perDay?.tokens === undefined) return undefined;
  const { scope, runId, nodeId, visit, atMs } = turn;
  const date = { day: dayAt(perDay, atMs), timeZone: perDay.timeZone };
  const amountOf: { readonly [of in TurnBudget]: number } = {
    modelCalls: 1,
    tokens: tokensIn(turn.promptCharacters) + turn.maxOutputTokens,
  };
  const amounts = turnBudgets.flatMap((of) => {
    const atMost = perDay[of];
    return atMost === undefined ? [] : [{ of, budget: nameOf(document, of, date.day), amount: amountOf[of], atMost }];
  });
  const key = `model:${runId}:${nodeId}:${visit}:${turn.turn}:${turn.attempt}:${turn.recoveries}`;
  const result = await ports.storage.budgets.reserve({
    scope,
    key,
    runId,
    amounts: amounts.map(({ budget, amount, atMost }) => ({ budget, amount, atMost })),
  });
  if (result.status === "reserved") return { ok: true, key, amounts: result.amounts };
  const without = amounts.find(({ budget }) => budget === result.budget);
  const { of = "modelCalls", atMost = 0, amount = 0 } = without ?? {};
  const message =
    `The procedure's budget of ${atMost} ${wordsFor[of]} ${onDay(date)} has no room for another turn of the agent: ` +
    `${result.taken} are taken, and the turn may use ${amount}.`;
  const details = { budget: of, atMost, taken: result.taken, requested: amount, per: "day", ...date };
  return { ok: false, error: { message, details } };
}

/**
 * The settlement of an attempt, for the row with the reply (`settle` of `active-run.ts`): the attempt used 1 call and
 * the tokens that the model reports. `usage`: the usage that the reply reports; `{ inputTokens: 0, outputTokens: 0 }`
 * if the model refused; `nothing` if the model certainly was not asked, which uses no call either; `undefined` if the
 * usage is unknown, in which case the estimate stays reserved.
 *
 * An attempt without such a row (its worker is gone, and the run has ended since) stays reserved as well: the model may
 * have been asked.
 */
export function settleTurn(
  { key, amounts }: ReservedTurn,
  usage: TokenUsage | "nothing" | undefined,
): BudgetSettlement | undefined {
  if (usage === undefined) return undefined;
  if (usage === "nothing") return { key, spent: "nothing" };
  const tokens = amounts.find(({ budget }) => isOf("tokens", budget));
  if (tokens === undefined) return undefined;
  return { key, spent: [{ budget: tokens.budget, amount: Math.min(tokensOf(usage), maxTokens) }] };
}

/** More than any turn uses. A provider that reports an absurd number must not cause a row that storage refuses. */
const maxTokens = 1_000_000_000;

type TurnBudget = "modelCalls" | "tokens";

const turnBudgets: readonly TurnBudget[] = ["modelCalls", "tokens"];

const wordsFor: { readonly [of in TurnBudget]: string } = { modelCalls: "model calls", tokens: "tokens" };

function nameOf({ procedureId }: { readonly procedureId: string }, of: TurnBudget, day: string): string {
  return `use/${procedureId}/${of}/${day}`;
}

/** Procedure ids and days hold no slash. */
function isOf(of: TurnBudget, budget: string): boolean {
  return budget.split("/")[2] === of;
}
