import { hash } from "node:crypto";
import type { Emitted, RunState } from "@procedo/procedure";
import { triggerEventKey, type NewEvent, type Scope } from "@procedo/storage";

/** The custom event of a run as it reaches the triggers that procedures have for it. Pure. */
export function firesOf(
  scope: Scope,
  { facts: { runId, procedureId }, trigger }: Pick<RunState, "facts" | "trigger">,
  { event, payload }: Emitted,
): NonNullable<NewEvent["fires"]> {
  const body = JSON.stringify({ runId, procedureId, name: event, payload });
  const origins = [procedureOrigin(procedureId), procedureOrigin(null)];
  return {
    keys: origins.map((origin) => triggerEventKey(scope, origin, event)),
    body,
    digest: hash("sha256", body, "hex"),
    chainDepth: trigger?.chainDepth ?? 0,
  };
}

/** The origin of custom events in keys: those of one procedure, or of all. */
export function procedureOrigin(procedureId: string | null): string {
  return procedureId === null ? "procedures" : `procedure ${procedureId}`;
}
