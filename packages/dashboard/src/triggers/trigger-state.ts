import type { Trigger } from "../api/models.ts";

/** The state that a person has to know of a trigger, the worst one. */
export type TriggerState = "needs_attention" | "failing" | "paused" | "active";

export const triggerStates: readonly TriggerState[] = ["needs_attention", "failing", "paused", "active"];

export const stateWords: Readonly<Record<TriggerState, string>> = {
  needs_attention: "Needs attention",
  failing: "Failing",
  paused: "Paused",
  active: "Active",
};

export function stateOf({ state, health }: Pick<Trigger, "state" | "health">): TriggerState {
  if (health.status === "needs_attention") return "needs_attention";
  if (state === "paused") return "paused";
  return health.status === "failing" ? "failing" : "active";
}
