import type { ProcedureDocument } from "@procedo/contract";
import { defineIntegration, type Engine } from "@procedo/engine";
import * as z from "zod";

export const environment = "sandbox";
const by = { person: "builder" };

/** Names of the triggers. */
export const names = {
  /** Signed requests. Each of its runs emits an event. */
  hook: "hook",
  /** The events of the runs of `hook`. */
  chained: "chained",
  /** Each minute: every time fires, one after another. */
  every: "every",
  /** Each minute: after downtime the newest time fires; none beside an open run. */
  latest: "latest",
} as const;

const emitted = "received";
const token = { scheme: "token", header: "x-token" } as const;

/** An integration whose only action has no effect. */
export const desk = defineIntegration({
  name: "desk",
  actions: ({ defineAction }) => ({
    note: defineAction({
      description: "Notes a text.",
      effect: "idempotent",
      input: z.object({ text: z.string() }),
      run: ({ text }) => ({ text }),
    }),
  }),
});

/** Notes its subject, and emits it if `emits`. */
function noting(procedureId: string, emits: boolean): ProcedureDocument {
  const emit = { name: emitted, data: { subject: "{{ input.subject }}" } };
  return {
    schemaVersion: 1,
    procedureId,
    name: procedureId,
    input: { type: "object", required: ["subject"], properties: { subject: { type: "string" } } },
    nodes: [
      { id: "start", kind: "start" },
      {
        id: "note",
        kind: "tool_call",
        connection: "desk",
        action: "note",
        arguments: { text: "{{ input.subject }}" },
        ...(emits ? { emit } : {}),
      },
      { id: "done", kind: "end" },
    ],
    edges: [
      { from: "start", to: "note" },
      { from: "note", to: "done" },
    ],
  };
}

/** The address of the webhook trigger and its secret. */
export interface HookAddress {
  readonly address: string;
  readonly secret: string;
}

/**
 * Performs the setup of a new database: two procedures and four triggers.
 *
 * @param more - changes of the triggers, by their names
 */
export async function prepareTriggers({ connections, procedures, triggers }: Engine): Promise<HookAddress> {
  await connections.create({ name: "desk", integration: "desk", environment, by });
  for (const document of [noting("receive", true), noting("record", false)]) {
    await procedures.publish({ document, version: "1", defaultIn: [environment], by });
  }
  const common = { environment, by } as const;
  await triggers.create({
    ...common,
    name: names.chained,
    procedureId: "record",
    source: { kind: "event", name: `custom.${emitted}`, procedureId: "receive" },
    input: { subject: "{{ event.payload.subject }}" },
  });
  const scheduled = { ...common, procedureId: "record", input: { subject: "{{ schedule.scheduledAt }}" } };
  const minutely = { kind: "schedule", cron: "* * * * *", timeZone: "Etc/UTC" } as const;
  await triggers.create({
    ...scheduled,
    name: names.every,
    source: { ...minutely, catchUp: "all" },
    overlap: "queue",
  });
  await triggers.create({ ...scheduled, name: names.latest, source: { ...minutely, catchUp: "latest" } });
  const hook = await triggers.create({
    ...common,
    name: names.hook,
    procedureId: "receive",
    source: { kind: "webhook", authentication: token, dedupe: { by: "expression", expression: "event.id" } },
    input: { subject: "{{ event.id }}" },
  });
  if (hook.inbound === undefined || hook.secret === undefined) {
    throw new Error("The webhook trigger has no address or no secret.");
  }
  return { address: hook.inbound.address, secret: hook.secret };
}

/** Sends an event to the webhook trigger, as its service does; returns the status of the answer. */
export async function sendEvent(engine: Engine, { address, secret }: HookAddress, eventId: string): Promise<number> {
  const headers = new Map([
    [token.header, [secret]],
    ["content-type", ["application/json"]],
  ]);
  const body = new TextEncoder().encode(JSON.stringify({ id: eventId, type: "noted" }));
  return (await engine.inbound.receive({ address, headers, body })).status;
}
