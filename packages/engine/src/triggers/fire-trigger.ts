import { ProcedoError, type BackfilledTrigger } from "@procedo/contract";
import { firingIdOf, scheduledDedupeKey, type AddedFiring, type FiringRow, type Scope } from "@procedo/storage";
import type { OutsideOptions } from "../egress/outside.ts";
import { actor, authorize, refuseRevoked, type Principal } from "../access/principal.ts";
import { copyJson } from "../json/json-copy.ts";
import type { Ids } from "../ports/ids.ts";
import { scheduleOf } from "../schedules/schedule.ts";
import { backfillEvents, maxBackfilled, tooMany, type BackfillPorts, type Period } from "./backfill-events.ts";
import { authorizeChange } from "./new-trigger.ts";
import { manualEvent } from "./manual-event.ts";
import { storageTime } from "./storage-time.ts";
import { triggerFact, type StoredTriggers } from "./stored-triggers.ts";
import { firingNotFound, invalidMember, triggerNotFound } from "./trigger-errors.ts";
import type { TriggerBody } from "./trigger-record.ts";
import type { TriggerAddress, Triggers } from "./triggers.ts";

export interface FirePorts extends BackfillPorts {
  readonly triggers: StoredTriggers;
  readonly ids: Ids;
  /** The bounds of events and inputs. */
  readonly limits: { readonly depth: number; readonly bytes: number };
}

const maxKeyLength = 255;

/** The longest backfilled period of a schedule. Bounds the search of rare times, which blocks the process. */
const longestDays = 366;

/** See `Triggers.fire`. */
export async function fireTrigger(
  ports: FirePorts,
  { environment, triggerId, by, event, data, idempotencyKey }: Parameters<Triggers["fire"]>[0],
): Promise<{ readonly firingId: string }> {
  authorize(by, "run", environment);
  const { body } = await ports.triggers.get({ environment, triggerId });
  checkKey(idempotencyKey);
  checkGiven(body, { event, data });
  const given = {
    ...(event !== undefined && { event: copied(ports, "/event", event) }),
    ...(data !== undefined && { data: copied(ports, "/data", data) as typeof data }),
  };
  refuseRevoked(by);
  const requestId = idempotencyKey ?? ports.ids("evt");
  const manual = manualEvent(requestId, given);
  return await add(
    ports,
    { environment, triggerId },
    {
      dedupeKey: `manual ${requestId}`,
      requestedBy: actor(by).by,
      ...(manual !== undefined && { event: manual }),
    },
    (known) => {
      refuseOtherPerson(known, by);
      if (known.event?.type === manual?.type && known.event?.digest === manual?.digest) return;
      const message = `This idempotency key has made firing "${known.firingId}" with another event or other data. Use a new key for another firing.`;
      throw new ProcedoError("idempotency_conflict", message);
    },
  );
}

/** See `Triggers.refire`. */
export async function refire(
  ports: FirePorts,
  { environment, triggerId, firingId, by, idempotencyKey }: Parameters<Triggers["refire"]>[0],
): Promise<{ readonly firingId: string }> {
  authorize(by, "run", environment);
  await ports.triggers.get({ environment, triggerId });
  checkKey(idempotencyKey);
  const scope = { workspace: ports.workspace, environment };
  const row = await ports.storage.triggers.get({ scope, triggerId, firingId });
  if (row === undefined) throw firingNotFound(triggerId, firingId);
  if (row.status !== "failed" && row.status !== "skipped") {
    const message = `Firing "${firingId}" is ${row.status}. Only a failed or skipped firing can be fired again.`;
    throw new ProcedoError("invalid_input", message);
  }
  refuseRevoked(by);
  return await add(
    ports,
    { environment, triggerId },
    {
      dedupeKey:
        idempotencyKey === undefined
          ? await openRefireKey(ports, scope, triggerId, firingId)
          : refireKey(firingId, `key ${idempotencyKey}`),
      requestedBy: actor(by).by,
      refireOf: firingId,
      ...(row.scheduledAtMs !== undefined && { scheduledAtMs: row.scheduledAtMs }),
    },
    (known) => {
      if (idempotencyKey !== undefined) refuseOtherPerson(known, by);
    },
  );
}

/**
 * The dedupe key of the repetition of a firing that has not ended without a run, so that a double click starts one run;
 * of a new one if all have.
 */
async function openRefireKey(
  { storage }: FirePorts,
  scope: Scope,
  triggerId: string,
  firingId: string,
): Promise<string> {
  for (let number = 1; ; number++) {
    const key = refireKey(firingId, `${number}`);
    const row = await storage.triggers.get({ scope, triggerId, firingId: firingIdOf(triggerId, key) });
    if (row?.status !== "failed" && row?.status !== "skipped") return key;
  }
}

function refireKey(firingId: string, which: string): string {
  return `refire ${firingId} ${which}`;
}

/** See `Triggers.backfill`. */
export async function backfill(
  ports: FirePorts,
  { environment, triggerId, by, fromMs, toMs }: Parameters<Triggers["backfill"]>[0],
  options: OutsideOptions = {},
): Promise<BackfilledTrigger> {
  authorizeChange(by, environment);
  const { body } = await ports.triggers.get({ environment, triggerId });
  if (body.paused?.events === "skip") {
    throw invalidMember("/from", "is for a trigger that is not paused: its firings would be skipped. Resume it first");
  }
  const period = { fromMs, toMs: Math.min(toMs, await storageTime(ports)) };
  if (!(period.fromMs < period.toMs))
    throw invalidMember("/from", "must be before the end of the period, and in the past");
  const { source } = body;
  if (source.kind === "integration") {
    const before = () => takeOver(ports, { environment, triggerId }, by, period);
    return await backfillEvents(ports, { environment, source }, period, { ...options, before });
  }
  if (source.kind !== "schedule") {
    throw invalidMember("/from", "is for schedules, and for events of services that list them");
  }
  const times = timesOf(triggerId, body, period);
  checkOverlap(body, times.length);
  if (times.length === 0) return { added: 0, known: 0 };
  await takeOver(ports, { environment, triggerId }, by, period);
  const scope = { workspace: ports.workspace, environment };
  const firings = times.map((scheduledAtMs): AddedFiring => ({
    dedupeKey: scheduledDedupeKey({ scheduledAtMs }),
    scheduledAtMs,
  }));
  const results = await ports.storage.triggers.add({ scope, triggerId, firings });
  const added = results.filter(({ status }) => status === "added").length;
  return { added, known: results.length - added };
}

/**
 * Makes the trigger start runs for the person who asks for a backfill, so that this person cannot approve the payments that it
 * causes. The chain has the period.
 */
async function takeOver(ports: FirePorts, address: TriggerAddress, by: Principal, period: Period): Promise<void> {
  refuseRevoked(by);
  const fact = { ...triggerFact(by, "backfilled", address), details: { ...period } };
  await ports.triggers.change(address, fact, ({ body }) => ({ body: { ...body, updatedBy: actor(by).by } }));
}

/** The nominal times from the beginning of the period to before its end. */
function timesOf(triggerId: string, { source }: TriggerBody, { fromMs, toMs }: Period): readonly number[] {
  if (source.kind !== "schedule") return [];
  if (toMs - fromMs > longestDays * 86_400_000) {
    throw invalidMember("/from", `is more than ${longestDays} days before the end of the period`);
  }
  const schedule = scheduleOf(source, triggerId);
  const times: number[] = [];
  for (let at = schedule.after(fromMs - 1); at !== undefined && at < toMs; at = schedule.after(at)) {
    if (times.length === maxBackfilled) throw tooMany("times");
    times.push(at);
  }
  return times;
}

/** Several times fire at once, so that these overlaps would skip all but one of them. */
function checkOverlap({ overlap }: TriggerBody, times: number): void {
  if (times < 2 || overlap === "allow" || overlap === "queue") return;
  const message =
    `makes a period with ${times} times, and the overlap "${overlap}" starts only one. ` +
    "Set the overlap to queue or allow, or give a period with one time";
  throw invalidMember("/from", message);
}

async function add(
  { storage, workspace }: FirePorts,
  { environment, triggerId }: TriggerAddress,
  firing: AddedFiring,
  checkKnown: (known: FiringRow) => void,
): Promise<{ readonly firingId: string }> {
  const scope = { workspace, environment };
  const [result] = await storage.triggers.add({ scope, triggerId, firings: [firing] });
  if (result?.status === "known") {
    const { firingId } = result;
    const known = await storage.triggers.get({ scope, triggerId, firingId });
    if (known !== undefined) checkKnown(known);
    return { firingId };
  }
  if (result?.status === "added") return { firingId: result.firingId };
  if (firing.refireOf !== undefined) throw firingNotFound(triggerId, firing.refireOf);
  throw triggerNotFound(environment, triggerId);
}

/** @throws ProcedoError `invalid_input` */
function checkKey(idempotencyKey: string | undefined): void {
  if (idempotencyKey === undefined || (idempotencyKey !== "" && idempotencyKey.length <= maxKeyLength)) return;
  throw invalidMember("/idempotencyKey", `must have 1 to ${maxKeyLength} characters`);
}

/** A run starts for the person who asked for its firing. @throws ProcedoError `idempotency_conflict` */
function refuseOtherPerson({ requestedBy }: FiringRow, by: Principal): void {
  if (requestedBy === actor(by).by) return;
  const message =
    "Another person has used this idempotency key for a firing of this trigger. Use a new key for a firing of your own.";
  throw new ProcedoError("idempotency_conflict", message);
}

function checkGiven(
  { source }: TriggerBody,
  { event, data }: { readonly event: unknown; readonly data: unknown },
): void {
  if (event !== undefined && data !== undefined)
    throw invalidMember("/data", "is given beside an event: give one of both");
  if (source.kind === "schedule" && event !== undefined) {
    throw invalidMember("/event", "is given, and a schedule has no events: give data, or neither");
  }
  if (source.kind !== "schedule" && event === undefined && data === undefined) {
    throw invalidMember("/event", "is missing: give the event that the trigger's expressions read, or data");
  }
}

function copied({ limits }: FirePorts, path: string, value: unknown) {
  const copy = copyJson(value, limits);
  if (!copy.ok) throw invalidMember(path, copy.message);
  return copy.value;
}
