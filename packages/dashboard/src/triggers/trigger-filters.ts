/* The filters of the list of triggers. They are a part of the page's address. */
import type { Trigger } from "../api/models.ts";
import { searchReader } from "../values/search-params.ts";
import { kindWords, type TriggerKind } from "./kind-words.ts";
import { triggerStates, stateOf, type TriggerState } from "./trigger-state.ts";

export interface TriggerFilters {
  readonly state?: TriggerState;
  readonly kind?: TriggerKind;
  readonly procedure?: string;
  /** A part of the name. */
  readonly q?: string;
}

/** Reads the filters of an address. Values that are not valid are left out. */
export const readTriggerFilters = searchReader<TriggerFilters>(["state", "kind", "procedure", "q"], (search) => {
  const state = triggerStates.find((one) => one === search["state"]);
  const kind = (Object.keys(kindWords) as readonly TriggerKind[]).find((one) => one === search["kind"]);
  const { procedure, q } = search;
  return {
    ...(state !== undefined && { state }),
    ...(kind !== undefined && { kind }),
    ...(typeof procedure === "string" && procedure !== "" && { procedure }),
    ...(typeof q === "string" && q.trim() !== "" && { q: q.trim() }),
  };
});

export function hasFilters(filters: TriggerFilters): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}

/** The triggers that fit, those first that need a person, then by name. */
export function shownTriggers(
  triggers: readonly Trigger[],
  { state, kind, procedure, q }: TriggerFilters,
): readonly Trigger[] {
  const wanted = q?.toLowerCase();
  return triggers
    .filter(
      (trigger) =>
        (state === undefined || stateOf(trigger) === state) &&
        (kind === undefined || trigger.source.kind === kind) &&
        (procedure === undefined || trigger.procedureId === procedure) &&
        (wanted === undefined || trigger.name.toLowerCase().includes(wanted)),
    )
    .toSorted((a, b) => urgency(a) - urgency(b) || a.name.localeCompare(b.name, "en"));
}

/** Trouble comes first. */
function urgency(trigger: Trigger): number {
  const state = stateOf(trigger);
  return state === "needs_attention" ? 0 : state === "failing" ? 1 : 2;
}
