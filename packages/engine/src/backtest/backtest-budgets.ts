import type { JsonObject, JsonValue, ProcedureDocument } from "@procedo/contract";
import type { Entry } from "@procedo/procedure";
import type { BudgetSettlement, BudgetStore, Reservation, ReserveResult, Scope } from "@procedo/storage";
import { jsonDifferences } from "../integrations/json-differences.ts";
import type { RecordedRun } from "./recorded-run.ts";

/**
 * Sums of a backtest, in memory and of its own runs alone. A limit that is the same in both versions, asked for the same, is
 * answered as the record has it: other runs, which are not backtested, had their part in that.
 */
export interface BacktestBudgets {
  /** Budgets as one run asks for them. */
  forRun(
    run: RecordedRun,
    versions: { readonly before: ProcedureDocument; readonly after: ProcedureDocument },
  ): RunBudgets;
}

export interface RunBudgets {
  readonly store: BudgetStore;
  settle(settlement: BudgetSettlement | undefined): void;
}

export function createBacktestBudgets(): BacktestBudgets {
  const taken = new Map<string, number>();
  return {
    forRun: (run, { before, after }) => {
      const recorded = readReservations(run);
      const held = new Map<string, readonly { readonly budget: string; readonly amount: number }[]>();
      const told = new Map<string, number>();
      const add = (budget: string, amount: number): void => void taken.set(budget, (taken.get(budget) ?? 0) + amount);

      const reserve = ({ key, amounts }: Reservation): ReserveResult => {
        const known = held.get(key);
        if (known !== undefined) return { status: "reserved", amounts: known };
        for (const { budget, amount, atMost } of amounts) {
          const answer = isUnchanged(budget, before, after) ? recorded.take(budget, amount) : undefined;
          const sum = answer?.taken ?? taken.get(budget) ?? 0;
          told.set(budget, sum);
          const hasRoom = atMost === undefined || (answer?.hadRoom ?? sum + amount <= atMost);
          if (hasRoom) continue;
          // Reviewers see the call's other sums as well.
          for (const one of amounts) {
            const then = answer?.beside.get(nameOf(one.budget));
            if (then !== undefined) told.set(one.budget, then);
          }
          return { status: "exceeded", budget, taken: sum };
        }
        const given = amounts.map(({ budget, amount }) => ({ budget, amount }));
        for (const { budget, amount } of given) add(budget, amount);
        held.set(key, given);
        return { status: "reserved", amounts: given };
      };

      return {
        store: {
          reserve: async (request) => reserve(request),
          taken: async (_scope: Scope, budgets) => budgets.map((budget) => told.get(budget) ?? taken.get(budget) ?? 0),
        },
        settle: (settlement) => {
          if (settlement === undefined) return;
          const reserved = held.get(settlement.key) ?? [];
          held.set(settlement.key, []);
          for (const { budget, amount } of reserved) {
            const { spent } = settlement;
            const really = spent === "nothing" ? 0 : (spent.find((one) => one.budget === budget)?.amount ?? amount);
            add(budget, really - amount);
          }
        },
      };
    },
  };
}

/** What the record answered to an amount that was asked for. */
interface RecordedRoom {
  readonly amount: number;
  readonly hadRoom: boolean;
  /** `undefined`: the record does not tell. */
  readonly taken: number | undefined;
  /** What was taken of the call's sums at that time, by name, as far as the record tells. */
  readonly beside: ReadonlyMap<string, number>;
}

/** What the record says of sums, in its order; each answer is given once. */
function readReservations({ entries }: RecordedRun): {
  take(budget: string, amount: number): RecordedRoom | undefined;
} {
  const rooms = new Map<string, RecordedRoom[]>();
  const note = (name: string, room: RecordedRoom): void => void rooms.set(name, [...(rooms.get(name) ?? []), room]);
  for (const entry of entries) {
    if (entry.type === "intent" && entry.attempt === 1) {
      for (const { budget, amount } of entry.reserved ?? []) {
        note(nameOf(budget), { amount, hadRoom: true, taken: undefined, beside: new Map() });
      }
    }
    const shown = shownLimits(entry);
    const beside = new Map(shown.map(({ name, taken }) => [name, taken]));
    for (const { name, asked, taken, exceeded } of shown) {
      if (exceeded) note(name, { amount: asked, hadRoom: false, taken, beside });
    }
  }
  return {
    take: (budget, amount) => {
      const list = rooms.get(nameOf(budget)) ?? [];
      const at = list.findIndex((room) => room.amount === amount);
      return at === -1 ? undefined : list.splice(at, 1)[0];
    },
  };
}

interface ShownLimit {
  readonly name: string;
  readonly asked: number;
  readonly taken: number;
  readonly exceeded: boolean;
}

/** The sums for which there was no room, and those beside them, as `reserve-call.ts` puts them into the record. */
function shownLimits(entry: Entry): readonly ShownLimit[] {
  if (entry.type === "raised") return limitsIn([entry.error.details ?? null], entry.nodeId);
  if (entry.type !== "asked" || entry.review.waivesLimits !== true) return [];
  const { limits } = entry.review.data;
  return Array.isArray(limits) ? limitsIn(limits as readonly JsonValue[], entry.nodeId) : [];
}

function limitsIn(shown: readonly JsonValue[], nodeId: string): readonly ShownLimit[] {
  return shown.flatMap((one): ShownLimit[] => {
    if (!isObject(one)) return [];
    const { limit, asked, taken, exceeded } = one;
    if (typeof limit !== "string" || typeof asked !== "number" || typeof taken !== "number") return [];
    return [{ name: limit === "toolCalls" ? limit : `${nodeId}/${limit}`, asked, taken, exceeded: exceeded === true }];
  });
}

/** `<node>/<limit>` of `sum/<procedure>/<node>/<limit>/…`, `toolCalls` of `use/<procedure>/toolCalls/…`. */
function nameOf(budget: string): string {
  const [kind = "", , first = "", second = ""] = budget.split("/");
  return kind === "sum" ? `${first}/${second}` : first;
}

/** Whether both versions bound the same by the same. */
function isUnchanged(budget: string, before: ProcedureDocument, after: ProcedureDocument): boolean {
  const [kind, , nodeId = "", limit = ""] = budget.split("/");
  const [was, is] = [before, after].map((document) =>
    kind === "sum" ? limitOf(document, nodeId, limit) : document.budgets?.day,
  );
  return jsonDifferences((was ?? null) as JsonValue, (is ?? null) as JsonValue).length === 0;
}

function limitOf({ nodes }: ProcedureDocument, nodeId: string, name: string) {
  const node = nodes.find(({ id }) => id === nodeId);
  return node?.kind === "tool_call" ? node.sumLimits?.find((limit) => limit.name === name) : undefined;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
