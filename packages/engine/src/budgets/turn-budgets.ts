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
  /** How often the run has lost its worker: an attempt that was lost with one may have been made, and keeps its place. */
  readonly recoveries: number;
  /** Of everything that the model is given: the whole conversation and the tools. */
  readonly promptCharacters: number;
  readonly maxOutputTokens: number;
  readonly atMs: number;
}

/** A place in the procedure's budgets of the day. */
export interface ReservedTurn {
  readonly ok: true;
  readonly key: string;
  readonly amounts: readonly ReservedAmount[];
}

export type TurnReservation = ReservedTurn | { readonly ok: false; readonly error: StepError };

/**
 * Takes the place of one attempt to ask a model in the budgets that the procedure sets for a day: 1 model call, and as many
 * tokens as it may come to. To be called when the prompt is durable, before the model is asked; repeated for the same
 * attempt it takes nothing more, unless the worker that made the attempt is lost: then asking again is another one.
 *
 * @returns `undefined` at once (not as a promise) when the procedure sets none; `ok: false` with what the node fails of when
 *   there is no room
 * @throws ProcedoError `storage_unavailable` (as a rejection), after which it may be repeated
 */
export function reserveTurn(
  ports: BudgetPorts,
  { document }: CompiledProcedure,
  turn: TurnToReserve,
): Promise<TurnReservation> | undefined {
  const perDay = document.budgets?.day;
  if (perDay?.modelCalls === undefined && perDay?.tokens === undefined) return undefined;
  const { scope, runId, nodeId, visit, atMs } = turn;
  const date = { day: dayAt(perDay, atMs), timeZone: perDay.timeZone };
  const asked: { readonly [of in TurnBudget]: number } = {
    modelCalls: 1,
    tokens: tokensIn(turn.promptCharacters) + turn.maxOutputTokens,
  };
  const amounts = turnBudgets.flatMap((of) => {
    const atMost = perDay[of];
    return atMost === undefined ? [] : [{ of, budget: nameOf(document, of, date.day), amount: asked[of], atMost }];
  });
  const key = `model:${runId}:${nodeId}:${visit}:${turn.turn}:${turn.attempt}:${turn.recoveries}`;
  return (async () => {
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
      `${result.taken} are taken, and it may use ${amount}.`;
    const details = { budget: of, atMost, taken: result.taken, asked: amount, per: "day", ...date };
    return { ok: false, error: { message, details } };
  })();
}

/**
 * What the row tells that holds the reply (`settle` of `active-run.ts`): the attempt took 1 call, and of the tokens what the
 * model says. `usage`: of a reply as it tells, `{ inputTokens: 0, outputTokens: 0 }` where the model has refused, `nothing`
 * where it surely was not asked, which takes no call either; `undefined` where nobody knows: then the estimate stands.
 *
 * An attempt that no row tells of any more (the worker that made it is gone, and the run has ended since) keeps its place
 * as well: the model may have been asked.
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

/** More than any turn uses: a provider that counts nonsense must not make a row that storage cannot take. */
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
