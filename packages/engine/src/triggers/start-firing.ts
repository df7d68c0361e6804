import type { JsonValue } from "@procedo/contract";
import type { ClaimedFiring, Storage } from "@procedo/storage";
import type { Roster } from "../people/roster.ts";
import { errorText, type Log } from "../ports/log.ts";
import type { RunOrigin, StartRequest } from "../runs/prepare-run.ts";
import { evaluateMapping } from "./evaluate-mapping.ts";
import { afterDefect, afterRefusal, again, failed, skipped, type FiringNext } from "./firing-end.ts";
import { isManualEvent, isManualInput } from "./manual-event.ts";
import type { Occurrence } from "./mapping-scope.ts";
import { pauseIfFailing } from "./pause-after-failures.ts";
import { shownContent } from "./show-firing.ts";
import type { SourceEventPorts } from "./source-events.ts";
import { storageTime } from "./storage-time.ts";
import type { StoredTrigger, StoredTriggers } from "./stored-triggers.ts";
import { triggerPerson } from "./trigger-person.ts";
import type { AuditLog } from "../audit/audit-log.ts";

export interface StartFiringPorts extends SourceEventPorts {
  readonly storage: Pick<Storage, "records" | "triggers">;
  readonly roster: Pick<Roster, "joined">;
  readonly triggers: StoredTriggers;
  readonly audit: AuditLog;
  readonly clock: { now(): number };
  readonly log: Log;
  /** Starts the run of a firing. `undefined`, with nothing started, when the claim was lost. */
  readonly start: (
    request: StartRequest,
    origin: RunOrigin & { readonly firing: NonNullable<RunOrigin["firing"]> },
  ) => Promise<{ readonly runId: string } | undefined>;
}

/** How many runs may each start the next by an event. */
const maxChainDepth = 8;

/**
 * Starts the run of a claimed firing.
 *
 * @returns `undefined` when the run was started, or when another worker has the firing; otherwise its settlement
 * @throws ProcedoError `storage_unavailable` when it is not known how long the start has failed
 */
export async function startFiring(ports: StartFiringPorts, firing: ClaimedFiring): Promise<FiringNext | undefined> {
  try {
    return await start(ports, firing);
  } catch (error) {
    const refusal = afterRefusal(error);
    if (refusal !== undefined && refusal.status !== "pending") return refusal;
    const { triggerId, firingId, epoch, receivedAtMs } = firing;
    ports.log.warn("A firing could not start its run.", { triggerId, firingId, error: errorText(error) });
    if (refusal !== undefined) return refusal;
    return afterDefect(error, { tries: epoch, ageMs: (await storageTime(ports)) - receivedAtMs });
  }
}

async function start(ports: StartFiringPorts, firing: ClaimedFiring): Promise<FiringNext | undefined> {
  const { scope, triggerId, requestedBy } = firing;
  const { environment } = scope;
  const trigger = await ports.triggers.find({ environment, triggerId });
  if (trigger === undefined) return skipped("deleted");
  if (requestedBy === undefined) {
    const paused = trigger.body.paused ?? (await pauseIfFailing(ports, trigger));
    if (paused?.events === "skip") return skipped("paused");
    // It was claimed before the pause. The gate holds it back from now on.
    if (paused?.events === "hold") return again(0);
  }
  const chainDepth = depthOf(trigger, firing);
  if (chainDepth > maxChainDepth) {
    const message = `${chainDepth} runs would follow one another, each started by an event of the one before. At most ${maxChainDepth} may.`;
    return failed("chain_too_deep", message);
  }
  const person = requestedBy ?? trigger.body.updatedBy;
  const by = await triggerPerson(ports, { environment, triggerId, person });
  if (by === undefined) {
    return failed(
      "permission_denied",
      `${person} may not start runs in ${environment}. Another person has to change the trigger.`,
    );
  }
  const input = await inputOf(ports, trigger, firing);
  if ("next" in input) return input.next;
  const { procedureId, version } = trigger.body;
  const request: StartRequest = {
    procedureId,
    environment,
    data: input.data,
    by,
    ...(version !== null && { version }),
  };
  await ports.start(request, originOf(trigger, firing, chainDepth));
  return undefined;
}

/** How many runs came before this one by events. A request of a person begins a new chain. */
function depthOf({ body: { source } }: StoredTrigger, { event, requestedBy }: ClaimedFiring): number {
  if (source.kind !== "event" || event === undefined || requestedBy !== undefined) return 0;
  return event.chainDepth + 1;
}

async function inputOf(
  ports: StartFiringPorts,
  trigger: StoredTrigger,
  firing: ClaimedFiring,
): Promise<{ readonly data: JsonValue } | { readonly next: FiringNext }> {
  const { event } = firing;
  const content = shownContent(event?.content);
  if (event !== undefined && content === undefined) {
    return { next: failed("mapping_failed", "The event was removed before it could be evaluated.") };
  }
  if (event !== undefined && content !== undefined && isManualInput(event)) return { data: content.event };
  const occurrence: Occurrence = {
    scheduledAtMs: firing.scheduledAtMs ?? firing.receivedAtMs,
    occurredAtMs: firing.occurredAtMs,
    event:
      event === undefined || content === undefined
        ? undefined
        : { id: event.id, type: event.type, value: content.event, headers: content.headers },
  };
  const mapped = await evaluateMapping(ports, trigger, occurrence);
  switch (mapped.kind) {
    case "input":
      return { data: mapped.input };
    case "filtered":
      return { next: skipped("filtered") };
    case "failed":
      return { next: failed("mapping_failed", "The mapping of the trigger failed.", mapped.problems) };
  }
}

function originOf(
  { body: { source } }: StoredTrigger,
  { triggerId, firingId, epoch, requestedBy, event, scheduledAtMs }: ClaimedFiring,
  chainDepth: number,
): Parameters<StartFiringPorts["start"]>[1] {
  return {
    trigger: {
      kind: requestedBy === undefined ? source.kind : "manual",
      triggerId,
      firingId,
      ...(event !== undefined && !isManualEvent(event) && { eventId: event.id }),
      ...(scheduledAtMs !== undefined && { scheduledAt: new Date(scheduledAtMs).toISOString() }),
      ...(chainDepth > 0 && { chainDepth }),
    },
    firing: { triggerId, firingId, epoch },
  };
}
