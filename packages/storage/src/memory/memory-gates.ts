import type { RecordRow } from "../records.ts";
import type { Scope } from "../scope.ts";
import type { TriggerGate } from "../triggers.ts";
import { endFiring, queuedOf, triggerKey } from "./memory-firings.ts";
import type { MemoryFiring, MemoryState } from "./state.ts";

/** Stores the gate with its record. `before` is the record as it was. */
export function putGate(
  state: MemoryState,
  scope: Scope,
  id: string,
  { schedule, ...rule }: TriggerGate,
  before: RecordRow | undefined,
): void {
  if (before !== undefined && before.environment !== scope.environment) removeGate(state, before);
  const key = triggerKey(scope, id);
  const stored = state.gates.get(key)?.schedule;
  for (const firing of queuedOf(state, scope, id)) if (firing.isClaimed) giveBack(state, firing);
  state.gates.set(key, { scope, triggerId: id, ...rule, schedule: schedule === "kept" ? stored : schedule });
}

/** Ends a claim: the claimed firing was judged by the trigger as it was. */
function giveBack(state: MemoryState, firing: MemoryFiring): void {
  firing.isClaimed = false;
  firing.dueAtMs = Math.min(firing.dueAtMs, state.now());
}

/** Removes the gate with its record, and ends the trigger's firings. */
export function removeGate(
  state: MemoryState,
  { workspace, id, environment }: Pick<RecordRow, "workspace" | "id" | "environment">,
): void {
  if (environment === undefined) return;
  const scope = { workspace, environment };
  if (!state.gates.delete(triggerKey(scope, id))) return;
  for (const firing of queuedOf(state, scope, id)) endFiring(state, firing, "skipped", "deleted");
}
