import type { Environment, TriggerSource } from "@procedo/contract";
import type { ScheduleState, Scope, Storage, TriggerGate } from "@procedo/storage";
import { actor, authorize, refuseRevoked, type Principal } from "../access/principal.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import { undone, writeShownOnce, type ShownOnce } from "../audit/shown-once.ts";
import { newInboundAddress } from "../integrations/inbound-address.ts";
import type { Ids } from "../ports/ids.ts";
import type { Random } from "../ports/random.ts";
import { stateFrom } from "../schedules/account.ts";
import { scheduleOf } from "../schedules/schedule.ts";
import type { SecretBox } from "../secrets/secret-box.ts";
import { checkTrigger, type CheckPorts } from "./check-trigger.ts";
import { newInboundSecret } from "./inbound-secret.ts";
import { readNewTrigger } from "./read-trigger.ts";
import { storageTime } from "./storage-time.ts";
import { triggerFact, type StoredTrigger, type StoredTriggers } from "./stored-triggers.ts";
import { tooManyTriggers } from "./trigger-errors.ts";
import { triggerSecrets, type TriggerBody } from "./trigger-record.ts";
import type { NewTrigger } from "./triggers.ts";

/** Triggers of one environment. */
const maxTriggers = 1_000;

export interface NewTriggerPorts extends CheckPorts {
  readonly storage: Pick<Storage, "records" | "triggers">;
  readonly triggers: StoredTriggers;
  readonly audit: AuditLog;
  readonly secretBox: SecretBox;
  readonly ids: Ids;
  readonly random: Random;
}

/** See `Triggers.create`. */
export async function createTrigger(
  ports: NewTriggerPorts,
  { environment, by, ...given }: NewTrigger,
  answer: ShownOnce = {},
): Promise<{ readonly created: StoredTrigger; readonly secret: string | undefined }> {
  authorizeChange(by, environment);
  const fields = readNewTrigger(given);
  await checkTrigger(ports, environment, fields);
  const triggerId = ports.ids("trg");
  const nowMs = await storageTime(ports);
  const address = { environment, triggerId };
  const secret = fields.source.kind === "webhook" ? newInboundSecret(ports.random) : undefined;
  const person = actor(by).by;
  const body: TriggerBody = {
    ...fields,
    ...(secret !== undefined && { inbound: sealedInbound(ports, address, secret) }),
    createdBy: person,
    createdAtMs: nowMs,
    updatedBy: person,
    updatedAtMs: nowMs,
  };
  const { name, procedureId, source } = fields;
  const fact = { ...triggerFact(by, "created", address), details: { name, procedureId, kind: source.kind } };
  const result = await writeShownOnce(secret === undefined ? {} : answer, {
    write: () =>
      ports.audit.record(fact, async (entry) => {
        // Another trigger may have been created since the check, and then this entry is behind.
        await checkCount(ports.triggers, environment);
        refuseRevoked(by);
        return await ports.triggers.add({ ...address, body }, scheduleFrom(source, triggerId, nowMs), entry);
      }),
    undo: () => ports.triggers.remove(address, undone(fact, "trigger.removed")),
  });
  if (result.status !== "stored")
    throw new Error(`The new trigger "${triggerId}" could not be stored: ${result.status}.`);
  return { created: { ...address, body, revision: result.revision }, secret };
}

/** @throws ProcedoError `permission_denied` without `manage` and `run`: the runs of a trigger start for its last editor */
export function authorizeChange(by: Principal, environment: Environment): void {
  authorize(by, "manage", environment);
  authorize(by, "run", environment);
}

/** The place in time of a schedule that counts from now; `undefined` for another source. */
export function scheduleFrom(source: TriggerSource, triggerId: string, nowMs: number): TriggerGate["schedule"] {
  return source.kind === "schedule" ? stateFrom(scheduleOf(source, triggerId), nowMs) : undefined;
}

/** The place in time of a paused schedule. */
export function pausedAt(accountedAtMs: number): ScheduleState {
  return { accountedAtMs, dueAtMs: undefined };
}

/** A new address with its secret. */
export function sealedInbound(
  { secretBox, random, workspace }: Pick<NewTriggerPorts, "secretBox" | "random" | "workspace">,
  { environment, triggerId }: { readonly environment: Environment; readonly triggerId: string },
  secret: string,
): NonNullable<TriggerBody["inbound"]> {
  const scope: Scope = { workspace, environment };
  return {
    address: newInboundAddress(environment, random),
    secret: triggerSecrets(secretBox, scope, triggerId).seal(secret),
  };
}

async function checkCount(triggers: StoredTriggers, environment: Environment): Promise<void> {
  let count = 0;
  for await (const _ of triggers.all(environment)) count++;
  if (count >= maxTriggers) throw tooManyTriggers(environment, maxTriggers);
}
