import type { JsonObject, JsonValue } from "@procedo/contract";
import type { Entry, NodeFailed } from "@procedo/procedure";
import type { RecordedRun } from "./recorded-run.ts";
import type { DayBudget } from "./unchanged-nodes.ts";

/* The record's answers about sums and about the budgets of a day. Pure. */

/** The record's answer to a requested amount. */
export interface RecordedRoom {
  readonly hadRoom: boolean;
  /** The total at that time; `undefined` if it is not in the record. */
  readonly taken: number | undefined;
  /** The totals of the call's other sums at that time, by name, as far as the record has them. */
  readonly beside: ReadonlyMap<string, number>;
}

/** The record's answers for the sums of calls, in its order. Each answer is returned once. */
export interface RecordedRooms {
  /** Takes the next answer for an amount. `name` is the result of {@link roomName}. */
  take(name: string, amount: number): RecordedRoom | undefined;
}

export function readRooms({ entries }: RecordedRun): RecordedRooms {
  const rooms = new Map<string, (RecordedRoom & { readonly amount: number })[]>();
  const note = (name: string, amount: number, room: RecordedRoom): void => {
    rooms.set(name, [...(rooms.get(name) ?? []), { ...room, amount }]);
  };
  for (const entry of entries) {
    if (entry.type === "intent" && entry.attempt === 1) {
      for (const { budget, amount } of entry.reserved ?? []) note(roomName(budget), amount, hadRoom);
    }
    const shown = shownLimits(entry);
    const beside = new Map(shown.map(({ name, taken }) => [name, taken]));
    for (const { name, requested, taken, exceeded } of shown) {
      if (exceeded) note(name, requested, { hadRoom: false, taken, beside });
    }
  }
  return {
    take: (name, amount) => {
      const list = rooms.get(name) ?? [];
      const at = list.findIndex((room) => room.amount === amount);
      return at === -1 ? undefined : list.splice(at, 1)[0];
    },
  };
}

/** There was room, and the record does not have the total. */
export const hadRoom: RecordedRoom = { hadRoom: true, taken: undefined, beside: new Map() };

/** `<node>/<limit>` for `sum/<procedure>/<node>/<limit>/…`, `toolCalls` for `use/<procedure>/toolCalls/…`. */
export function roomName(budget: string): string {
  const [kind = "", , first = "", second = ""] = budget.split("/");
  return kind === "sum" ? `${first}/${second}` : first;
}

/**
 * The day's budget whose limit made a node fail, and its total, as `reserve-call.ts` and `turn-budgets.ts` record them;
 * `undefined` if the node failed for another reason.
 */
export function exhaustedBudget({
  error,
}: NodeFailed): { readonly of: DayBudget; readonly taken: number | undefined } | undefined {
  const { details } = error;
  if (!isObject(details) || details["per"] !== "day") return undefined;
  const { budget, limit, taken } = details;
  // No sum limit has such a name, because names of sum limits are in lower case.
  const of = (["modelCalls", "tokens", "toolCalls"] as const).find((name) => name === (budget ?? limit));
  return of && { of, taken: typeof taken === "number" ? taken : undefined };
}

interface ShownLimit {
  readonly name: string;
  readonly requested: number;
  readonly taken: number;
  readonly exceeded: boolean;
}

/** The sums without room for a call, and the call's other sums, as `reserve-call.ts` records them. */
function shownLimits(entry: Entry): readonly ShownLimit[] {
  if (entry.type === "node_failed") return limitsIn([entry.error.details ?? null], entry.nodeId);
  if (entry.type !== "review_opened" || entry.review.waivesLimits !== true) return [];
  const { limits } = entry.review.data;
  return Array.isArray(limits) ? limitsIn(limits as readonly JsonValue[], entry.nodeId) : [];
}

function limitsIn(shown: readonly JsonValue[], nodeId: string): readonly ShownLimit[] {
  return shown.flatMap((one): ShownLimit[] => {
    if (!isObject(one)) return [];
    const { limit, requested, taken, exceeded } = one;
    if (typeof limit !== "string" || typeof requested !== "number" || typeof taken !== "number") return [];
    return [
      { name: limit === "toolCalls" ? limit : `${nodeId}/${limit}`, requested, taken, exceeded: exceeded === true },
    ];
  });
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
