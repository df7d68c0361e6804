import { ProcedoError, type Environment, type JsonObject, type TriggerProblem } from "@procedo/contract";
import type { Storage, TriggerState } from "@procedo/storage";
import type { InboundTraffic, TrafficFacts } from "../connections/inbound-traffic.ts";
import type { Versions } from "../procedures/versions.ts";
import type { Roster } from "../people/roster.ts";
import { nextTimes, type NextTime } from "../schedules/next-times.ts";
import { scheduleOf } from "../schedules/schedule.ts";
import { eventProblems, mappingProblems } from "./check-trigger.ts";
import { eventSchemaOf, sourceConnection, type SourceEventPorts } from "./source-events.ts";
import type { StoredTrigger } from "./stored-triggers.ts";
import { triggerPerson } from "./trigger-person.ts";
import type { TriggerBody } from "./trigger-record.ts";
import type { TriggerHealth, TriggerView } from "./triggers.ts";

export interface ShowPorts extends SourceEventPorts {
  readonly storage: Pick<Storage, "records" | "triggers">;
  readonly roster: Pick<Roster, "joined">;
  readonly versions: Pick<Versions, "pick">;
  readonly triggerTraffic: Pick<InboundTraffic, "of">;
  readonly clock: { now(): number };
}

/** The person of a pause after failures. */
export const pausedByService = "procedo";

/** Shows triggers of one environment with their present state. */
export async function showTriggers(
  ports: ShowPorts,
  environment: Environment,
  triggers: readonly StoredTrigger[],
): Promise<readonly TriggerView[]> {
  if (triggers.length === 0) return [];
  const scope = { workspace: ports.workspace, environment };
  const triggerIds = triggers.map(({ triggerId }) => triggerId);
  const states = await ports.storage.triggers.states({ scope, triggerIds });
  const stateOf = new Map(states.map((state) => [state.triggerId, state]));
  const addressed = triggers.filter(({ body }) => body.inbound !== undefined);
  const trafficOf = await ports.triggerTraffic.of(addressed.map(({ triggerId }) => triggerId));
  return await Promise.all(
    triggers.map(async (trigger) => {
      const times = timesOf(trigger, ports.clock.now());
      const problems = [...times.problems, ...(await presentProblems(ports, trigger))];
      const state = stateOf.get(trigger.triggerId);
      const traffic = trafficOf.get(trigger.triggerId);
      return shownTrigger(trigger, { state, traffic, problems, next: times.next });
    }),
  );
}

interface PresentState extends Pick<TriggerView, "problems" | "next"> {
  readonly state: TriggerState | undefined;
  /** Of a webhook trigger. */
  readonly traffic: TrafficFacts | undefined;
}

function shownTrigger(
  { environment, triggerId, revision, body }: StoredTrigger,
  { state, traffic, problems, next }: PresentState,
): TriggerView {
  const { inbound, paused, resumedAtMs: _resumed, restoredAtMs: _restored, ...fields } = body;
  return {
    ...fields,
    environment,
    triggerId,
    paused,
    health: healthOf(paused, state, problems),
    next,
    inbound: inbound === undefined || traffic === undefined ? undefined : { address: inbound.address, ...traffic },
    problems,
    revision,
  };
}

/**
 * The places that do not fit now. They follow from other records (the procedure's version, the connection, the person),
 * so that they are found whenever the trigger is shown, and stored nowhere.
 */
async function presentProblems(ports: ShowPorts, trigger: StoredTrigger): Promise<readonly TriggerProblem[]> {
  const { environment, triggerId, body } = trigger;
  const found: TriggerProblem[] = [];
  const { source, updatedBy } = body;
  let schema: JsonObject | undefined;
  if (source.kind === "integration") {
    const connection = await sourceConnection(ports, environment, source.connection);
    const message = `There is no connection "${source.connection}" any more.`;
    if (connection === undefined) found.push({ path: "/source/connection", message });
    else found.push(...eventProblems(source, connection.inbound?.events));
    schema = eventSchemaOf(source, connection?.inbound);
  }
  if ((await triggerPerson(ports, { environment, triggerId, person: updatedBy })) === undefined) {
    const message = `${updatedBy} may not start runs in ${environment} any more. Another person has to change the trigger.`;
    found.push({ path: "/updatedBy", message });
  }
  try {
    const { procedure } = await ports.versions.pick(body.procedureId, environment, body.version ?? undefined);
    found.push(...mappingProblems(body, procedure, schema));
  } catch (error) {
    if (!ProcedoError.isError(error) || error.retryable) throw error;
    const path = error.code === "version_not_found" ? "/version" : "/procedureId";
    found.push({ path, message: error.message });
  }
  return found;
}

function healthOf(
  paused: TriggerBody["paused"],
  state: TriggerState | undefined,
  problems: readonly TriggerProblem[],
): TriggerHealth {
  const consecutiveFailures = state?.consecutiveFailures ?? 0;
  const needsAttention = problems.length > 0 || paused?.by === pausedByService;
  return {
    status: needsAttention ? "needs_attention" : consecutiveFailures > 0 ? "failing" : "ok",
    consecutiveFailures,
    lastFiringAtMs: state?.lastFiringAtMs,
    waiting: state?.waiting ?? 0,
  };
}

/** The next times of an active schedule. This node may be unable to read one that a node of another release wrote. */
function timesOf(
  { triggerId, body: { source, paused } }: StoredTrigger,
  nowMs: number,
): { readonly next: readonly NextTime[]; readonly problems: readonly TriggerProblem[] } {
  if (source.kind !== "schedule") return { next: [], problems: [] };
  try {
    const schedule = scheduleOf(source, triggerId);
    return { next: paused === undefined ? nextTimes(schedule, nowMs) : [], problems: [] };
  } catch {
    const { cron, timeZone } = source;
    const message = `This node cannot read the schedule "${cron}" in "${timeZone}". Change it, or update the node.`;
    return { next: [], problems: [{ path: "/source", message }] };
  }
}
