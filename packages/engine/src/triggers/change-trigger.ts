import { ProcedoError } from "@procedo/contract";
import { actor, authorize, type Principal } from "../access/principal.ts";
import { undone, writeShownOnce, type ShownOnce } from "../audit/shown-once.ts";
import { checkTrigger } from "./check-trigger.ts";
import { newInboundSecret, oldSecretForMs, replacedSecret } from "./inbound-secret.ts";
import { authorizeChange, type NewTriggerPorts } from "./new-trigger.ts";
import { readChanges } from "./read-trigger.ts";
import { replacedSchedule } from "./replace-schedule.ts";
import { storageTime } from "./storage-time.ts";
import { triggerFact, type ChangedTrigger, type StoredTrigger } from "./stored-triggers.ts";
import { invalidMember, triggerNotFound } from "./trigger-errors.ts";
import { triggerSecrets, type InboundSecret, type TriggerBody } from "./trigger-record.ts";
import type { TriggerAddress, TriggerChanges, TriggerPause, Triggers } from "./triggers.ts";

const maxReason = 500;

/** See `Triggers.update`. */
export async function updateTrigger(
  ports: NewTriggerPorts,
  { environment, triggerId, by, revision, ...given }: TriggerChanges,
): Promise<StoredTrigger> {
  authorizeChange(by, environment);
  let changed: readonly string[] = [];
  return await ports.triggers.change(
    { environment, triggerId },
    () => ({ ...triggerFact(by, "updated", { environment, triggerId }), details: { changed: [...changed] } }),
    async (before) => {
      checkRevision(before, revision);
      const read = readChanges(before.body, given);
      changed = read.changed;
      // A change of nothing by another person takes the trigger over: it starts runs for that person from now on.
      if (changed.length === 0 && before.body.updatedBy === actor(by).by) return before;
      const { fields } = read;
      checkKind(before, fields.source.kind);
      await checkTrigger(ports, environment, fields);
      const nowMs = await storageTime(ports);
      const schedule = changed.includes("source")
        ? await replacedSchedule(ports, before, fields.source, nowMs)
        : "kept";
      return { body: { ...before.body, ...fields, updatedBy: actor(by).by, updatedAtMs: nowMs }, schedule };
    },
  );
}

/** See `Triggers.pause`. Its schedule stops when the pump next looks at it. */
export async function pauseTrigger(
  ports: NewTriggerPorts,
  { environment, triggerId, by, holdsEvents = false, reason }: Parameters<Triggers["pause"]>[0],
): Promise<StoredTrigger> {
  authorize(by, "manage", environment);
  if (reason !== undefined && (reason === "" || reason.length > maxReason)) {
    throw invalidMember("/reason", `must have 1 to ${maxReason} characters`);
  }
  const events = holdsEvents ? "hold" : "skip";
  const fact = { ...triggerFact(by, "paused", { environment, triggerId }), details: { events } };
  return await ports.triggers.change({ environment, triggerId }, fact, ({ body }) => {
    if (body.paused?.events === events && body.paused.reason === reason) return { body };
    const paused: TriggerPause = { atMs: ports.clock.now(), by: actor(by).by, reason, events };
    return { body: { ...body, paused } };
  });
}

/** See `Triggers.resume`. The pump accounts for the times that passed. */
export async function resumeTrigger(
  ports: NewTriggerPorts,
  { environment, triggerId, by }: Parameters<Triggers["resume"]>[0],
): Promise<StoredTrigger> {
  authorize(by, "manage", environment);
  const address = { environment, triggerId };
  return await ports.triggers.change(address, triggerFact(by, "resumed", address), async ({ body: before }) => {
    const { paused, ...body } = before;
    return paused === undefined ? { body: before } : await resumed(ports, address, body);
  });
}

async function resumed(ports: NewTriggerPorts, address: TriggerAddress, body: TriggerBody): Promise<ChangedTrigger> {
  const resumedAtMs = await storageTime(ports);
  if (body.source.kind !== "schedule") return { body: { ...body, resumedAtMs } };
  const { environment, triggerId } = address;
  const scope = { workspace: ports.workspace, environment };
  const [state] = await ports.storage.triggers.states({ scope, triggerIds: [triggerId] });
  const accountedAtMs = state?.schedule?.accountedAtMs ?? resumedAtMs;
  // Due at once: a crash after this write loses no time that passed.
  return { body: { ...body, resumedAtMs }, schedule: { accountedAtMs, dueAtMs: resumedAtMs } };
}

/** See `Triggers.remove`. */
export async function removeTrigger(
  ports: NewTriggerPorts,
  request: TriggerAddress & { readonly by: Principal },
): Promise<void> {
  const { environment, triggerId, by } = request;
  authorizeChange(by, environment);
  const { body } = await ports.triggers.get({ environment, triggerId });
  const fact = { ...triggerFact(by, "removed", request), details: { name: body.name } };
  if (!(await ports.triggers.remove(request, fact))) throw triggerNotFound(environment, triggerId);
}

/** See `Triggers.rotate`. */
export async function rotateTrigger(
  ports: NewTriggerPorts,
  { environment, triggerId, by }: Parameters<Triggers["rotate"]>[0],
  answer: ShownOnce = {},
): ReturnType<Triggers["rotate"]> {
  authorize(by, "manage", environment);
  const address = { environment, triggerId };
  const secrets = triggerSecrets(ports.secretBox, { workspace: ports.workspace, environment }, triggerId);
  const secret = newInboundSecret(ports.random);
  const nowMs = ports.clock.now();
  let before: InboundSecret | undefined;
  let after: InboundSecret | undefined;
  const fact = triggerFact(by, "rotated", address);
  await writeShownOnce(answer, {
    write: () =>
      ports.triggers.change(address, fact, ({ body }) => {
        before = inboundOf(address, body);
        after = replacedSecret(secrets, before, secret, nowMs);
        return { body: { ...body, inbound: after } };
      }),
    undo: () =>
      ports.triggers.change(address, undone(fact, "trigger.secret_restored"), ({ body }) =>
        // A secret from a later rotation stays.
        before !== undefined && body.inbound?.secret === after?.secret
          ? { body: { ...body, inbound: before } }
          : { body },
      ),
  });
  return { triggerId, secret, oldSecretExpiresAtMs: nowMs + oldSecretForMs };
}

function inboundOf({ triggerId }: TriggerAddress, { inbound }: TriggerBody): InboundSecret {
  if (inbound !== undefined) return inbound;
  const message = `Trigger "${triggerId}" has no secret: only webhook triggers have one.`;
  throw new ProcedoError("invalid_input", message);
}

function checkRevision({ triggerId, revision }: StoredTrigger, wanted: number | undefined): void {
  if (wanted === undefined || wanted === revision) return;
  const message = `Trigger "${triggerId}" now has revision ${revision}, not ${wanted}. Load it and change it again.`;
  throw new ProcedoError("revision_conflict", message);
}

/** Only a new webhook trigger has an address, whose secret its creation shows. */
function checkKind({ body }: StoredTrigger, kind: string): void {
  if (kind === body.source.kind) return;
  throw invalidMember(
    "/source/kind",
    `is "${kind}", and a trigger keeps its kind "${body.source.kind}": create another one`,
  );
}
