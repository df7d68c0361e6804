import type { JsonObject, JsonValue } from "@procedo/contract";
import type { Entry, NodeFailed } from "@procedo/procedure";
import type { RecordedRun } from "./recorded-run.ts";
import type { DayBudget } from "./unchanged-nodes.ts";

/* What a record says of sums and of the budgets of a day. Pure. */

/** What the record answered to an amount that was asked for. */
export interface RecordedRoom {
  readonly hadRoom: boolean;
  /** `undefined`: the record does not tell. */
  readonly taken: number | undefined;
  /** What was taken of the call's other sums at that time, by name, as far as the record tells. */
  readonly beside: ReadonlyMap<string, number>;
}

/** What the record answers for the sums of calls, in its order; each answer is given once. */
export interface RecordedRooms {
  /** `name`: as {@link roomName} gives it. */
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
    for (const { name, asked, taken, exceeded } of shown) {
      if (exceeded) note(name, asked, { hadRoom: false, taken, beside });
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

/** There was room, and nobody wrote down how much. */
export const hadRoom: RecordedRoom = { hadRoom: true, taken: undefined, beside: new Map() };

/** `<node>/<limit>` of `sum/<procedure>/<node>/<limit>/…`, `toolCalls` of `use/<procedure>/toolCalls/…`. */
export function roomName(budget: string): string {
  const [kind = "", , first = "", second = ""] = budget.split("/");
  return kind === "sum" ? `${first}/${second}` : first;
}

/**
 * The budget of the day that a node failed of, and what was taken of it, as `reserve-call.ts` and `turn-budgets.ts` put it
 * into the record; `undefined`: it failed of something else.
 */
export function exhaustedBudget({
  error,
}: NodeFailed): { readonly of: DayBudget; readonly taken: number | undefined } | undefined {
  const { details } = error;
  if (!isObject(details) || details["per"] !== "day") return undefined;
  const { budget, limit, taken } = details;
  // No sum limit has such a name: theirs are in small letters.
  const of = (["modelCalls", "tokens", "toolCalls"] as const).find((name) => name === (budget ?? limit));
  return of && { of, taken: typeof taken === "number" ? taken : undefined };
}

interface ShownLimit {
  readonly name: string;
  readonly asked: number;
  readonly taken: number;
  readonly exceeded: boolean;
}

/** The sums for which there was no room, and those beside them, as `reserve-call.ts` puts them into the record. */
function shownLimits(entry: Entry): readonly ShownLimit[] {
  if (entry.type === "node_failed") return limitsIn([entry.error.details ?? null], entry.nodeId);
  if (entry.type !== "review_opened" || entry.review.waivesLimits !== true) return [];
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

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
