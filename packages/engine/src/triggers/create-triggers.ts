import { triggerSourceSchema, requestProblems, type Environment } from "@procedo/contract";
import type { Storage } from "@procedo/storage";
import { nextTimes } from "../schedules/next-times.ts";
import { scheduleProblems } from "../schedules/check-schedule.ts";
import { scheduleOf } from "../schedules/schedule.ts";
import { backfill, fireTrigger, refire, type FirePorts } from "./fire-trigger.ts";
import { pauseTrigger, removeTrigger, resumeTrigger, rotateTrigger, updateTrigger } from "./change-trigger.ts";
import { listTriggers } from "./list-triggers.ts";
import { createTrigger, type NewTriggerPorts } from "./new-trigger.ts";
import { shownContent, shownFiring } from "./show-firing.ts";
import { showTriggers, type ShowPorts } from "./show-trigger.ts";
import type { StoredTrigger } from "./stored-triggers.ts";
import { testMapping, testTrigger } from "./test-trigger.ts";
import { firingNotFound, invalidTrigger } from "./trigger-errors.ts";
import type { FiringDetailsView, Triggers, TriggerView } from "./triggers.ts";

export interface TriggerPorts extends Omit<NewTriggerPorts, "clock">, ShowPorts, Omit<FirePorts, "storage" | "clock"> {
  readonly clock: FirePorts["clock"];
  readonly storage: Pick<Storage, "records" | "triggers">;
  /** The input of a run, from its journal; `undefined` once the run is archived. */
  readonly inputOf: (environment: Environment, runId: string) => Promise<FiringDetailsView["input"]>;
}

export function createTriggers(ports: TriggerPorts): Triggers {
  const { storage, workspace, triggers } = ports;
  const shown = async (trigger: StoredTrigger): Promise<TriggerView> => {
    const [view] = await showTriggers(ports, trigger.environment, [trigger]);
    if (view === undefined) throw new Error(`Trigger "${trigger.triggerId}" could not be shown.`);
    return view;
  };

  return {
    create: async (trigger, answer) => {
      const { created, secret } = await createTrigger(ports, trigger, answer);
      return { ...(await shown(created)), secret };
    },
    get: async (address) => await shown(await triggers.get(address)),
    list: (request) => listTriggers(ports, request),
    update: async (changes) => await shown(await updateTrigger(ports, changes)),
    remove: (request) => removeTrigger(ports, request),
    pause: async (request) => await shown(await pauseTrigger(ports, request)),
    resume: async (request) => await shown(await resumeTrigger(ports, request)),
    rotate: (request, answer) => rotateTrigger(ports, request, answer),
    preview: (request) => Promise.resolve(request).then(({ source }) => previewOf(source, ports.clock.now())),
    test: (request) => testTrigger(ports, request),
    testMapping: (request) => testMapping(ports, request),
    fire: (request) => fireTrigger(ports, request),
    refire: (request) => refire(ports, request),
    backfill: (request, options) => backfill(ports, request, options),
    unfit: async ({ environment, procedureId }) => {
      const found: StoredTrigger[] = [];
      for await (const trigger of triggers.all(environment)) {
        if (trigger.body.procedureId === procedureId && trigger.body.version === null) found.push(trigger);
      }
      return (await showTriggers(ports, environment, found)).filter(({ problems }) => problems.length > 0);
    },
    firings: async ({ environment, triggerId, ...query }) => {
      await triggers.get({ environment, triggerId });
      const scope = { workspace, environment };
      const { items, nextCursor } = await storage.triggers.list({ scope, triggerId, ...query });
      return { items: items.map(shownFiring), nextCursor };
    },
    firing: async ({ environment, triggerId, firingId }) => {
      await triggers.get({ environment, triggerId });
      const row = await storage.triggers.get({ scope: { workspace, environment }, triggerId, firingId });
      if (row === undefined) throw firingNotFound(triggerId, firingId);
      const { content, ...firing } = row;
      const input = row.run === undefined ? undefined : await ports.inputOf(environment, row.run.runId);
      return { ...shownFiring(firing), content: shownContent(content), input };
    },
  };
}

function previewOf(given: unknown, nowMs: number): TriggerView["next"] {
  const parsed = triggerSourceSchema.safeParse(given);
  if (!parsed.success) {
    throw invalidTrigger(
      requestProblems(parsed.error).map((problem) => ({ ...problem, path: `/source${problem.path}` })),
    );
  }
  const source = parsed.data;
  if (source.kind !== "schedule") return [];
  const problems = scheduleProblems(source, nowMs);
  if (problems.length > 0)
    throw invalidTrigger(problems.map((problem) => ({ ...problem, path: `/source${problem.path}` })));
  return nextTimes(scheduleOf(source, undefined), nowMs);
}
