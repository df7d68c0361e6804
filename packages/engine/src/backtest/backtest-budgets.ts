import type { JsonValue, ProcedureDocument } from "@procedo/contract";
import type { CompiledProcedure, NodeFailed } from "@procedo/procedure";
import type { BudgetSettlement, BudgetStore, Reservation, ReserveResult, Scope } from "@procedo/storage";
import { reserveTurn, type TurnReservation, type TurnToReserve } from "../budgets/turn-budgets.ts";
import { jsonDifferences } from "../json/json-differences.ts";
import { exhaustedBudget, readRooms, roomName, type RecordedRoom } from "./recorded-budgets.ts";
import type { RecordedRun } from "./recorded-run.ts";
import { isSameDayBudget, type DayBudget } from "./unchanged-nodes.ts";

/**
 * Sums and budgets of a backtest, in memory, for its own runs alone. If a limit and the requested amount are equal in
 * both versions, the answer comes from the record, which includes the effect of runs outside the backtest.
 */
export interface BacktestBudgets {
  /** The budgets for one run. */
  forRun(
    run: RecordedRun,
    versions: { readonly before: ProcedureDocument; readonly after: ProcedureDocument },
  ): RunBudgets;
}

export interface RunBudgets {
  readonly store: BudgetStore;
  /**
   * Reserves a model's turn. `recorded` returns the record's answer about a day's budget at that turn, if it has one;
   * the answer counts for budgets that are equal in both versions.
   */
  reserveTurn(
    procedure: CompiledProcedure,
    turn: TurnToReserve,
    recorded: (of: DayBudget) => RecordedRoom | undefined,
  ): Promise<TurnReservation | undefined>;
  readonly settle: (settlement: BudgetSettlement | undefined) => void;
  /** Whether a recorded failure is possible in this version: not if its cause was a day's budget that has changed. */
  isPossible(failure: NodeFailed): boolean;
}

type AnswerOf = (budget: string, amount: number) => RecordedRoom | undefined;

export function createBacktestBudgets(): BacktestBudgets {
  const taken = new Map<string, number>();
  return {
    forRun: (run, { before, after }) => {
      const rooms = readRooms(run);
      const held = new Map<string, readonly { readonly budget: string; readonly amount: number }[]>();
      const recordedSums = new Map<string, number>();
      const add = (budget: string, amount: number): void => void taken.set(budget, (taken.get(budget) ?? 0) + amount);

      const reserve = ({ key, amounts }: Reservation, answerOf: AnswerOf): ReserveResult => {
        const known = held.get(key);
        if (known !== undefined) return { status: "reserved", amounts: known };
        for (const { budget, amount, atMost } of amounts) {
          const answer = isUnchanged(budget, before, after) ? answerOf(budget, amount) : undefined;
          const sum = answer?.taken ?? taken.get(budget) ?? 0;
          recordedSums.set(budget, sum);
          const hasRoom = atMost === undefined || (answer?.hadRoom ?? sum + amount <= atMost);
          if (hasRoom) continue;
          // Reviewers also see the call's other sums.
          for (const one of amounts) {
            const then = answer?.beside.get(roomName(one.budget));
            if (then !== undefined) recordedSums.set(one.budget, then);
          }
          return { status: "exceeded", budget, taken: sum };
        }
        const given = amounts.map(({ budget, amount }) => ({ budget, amount }));
        for (const { budget, amount } of given) add(budget, amount);
        held.set(key, given);
        return { status: "reserved", amounts: given };
      };
      const storeWith = (answerOf: AnswerOf): BudgetStore => ({
        reserve: async (request) => reserve(request, answerOf),
        taken: async (_scope: Scope, budgets) =>
          budgets.map((budget) => recordedSums.get(budget) ?? taken.get(budget) ?? 0),
      });

      return {
        store: storeWith((budget, amount) => rooms.take(roomName(budget), amount)),
        reserveTurn: async (procedure, turn, recorded) => {
          const budgets = storeWith((budget) => recorded(dayBudgetNamed(budget)));
          return await reserveTurn({ storage: { budgets } }, procedure, turn);
        },
        settle: (settlement) => {
          if (settlement === undefined) return;
          const reserved = held.get(settlement.key) ?? [];
          held.set(settlement.key, []);
          for (const { budget, amount } of reserved) {
            const { spent } = settlement;
            const used = spent === "nothing" ? 0 : (spent.find((one) => one.budget === budget)?.amount ?? amount);
            add(budget, used - amount);
          }
        },
        isPossible: (failure) => {
          const exhausted = exhaustedBudget(failure);
          return exhausted === undefined || isSameDayBudget(exhausted.of, before, after);
        },
      };
    },
  };
}

/** Whether both versions have the same limit for a budget. */
function isUnchanged(budget: string, before: ProcedureDocument, after: ProcedureDocument): boolean {
  const [kind, , nodeId = "", limit = ""] = budget.split("/");
  if (kind !== "sum") return isSameDayBudget(dayBudgetNamed(budget), before, after);
  const [was, is] = [before, after].map((document) => limitOf(document, nodeId, limit));
  return jsonDifferences((was ?? null) as JsonValue, (is ?? null) as JsonValue).length === 0;
}

/** The budget in a name such as `use/<procedure>/<of>/<day>`. */
function dayBudgetNamed(budget: string): DayBudget {
  return roomName(budget) as DayBudget;
}

function limitOf({ nodes }: ProcedureDocument, nodeId: string, name: string) {
  const node = nodes.find(({ id }) => id === nodeId);
  return node?.kind === "tool_call" ? node.sumLimits?.find((limit) => limit.name === name) : undefined;
}
