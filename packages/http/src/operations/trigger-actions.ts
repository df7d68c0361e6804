import {
  backfilledTriggerSchema,
  backfillTriggerRequestSchema,
  firedTriggerSchema,
  fireTriggerRequestSchema,
  idempotencyKeyHeaderSchema,
  pauseTriggerRequestSchema,
  rotatedTriggerSecretSchema,
  scopeQuerySchema,
  testTriggerRequestSchema,
  triggerSchema,
  triggerTestSchema,
} from "@procedo/contract";
import { defineOperation, reply } from "../operation.ts";
import { idempotencyKeyOf } from "./idempotency-key.ts";
import { named } from "./named.ts";
import { noBody } from "./no-body.ts";
import { timestamp } from "./timestamp.ts";
import { testAnswer, triggerAnswer } from "./trigger-answers.ts";

export const testTrigger = defineOperation({
  id: "testTrigger",
  method: "POST",
  onlyReads: true,
  path: "/api/v1/triggers/:triggerId/test",
  tag: "Triggers",
  summary: "Test a trigger's mapping",
  description:
    "Evaluates `when` and `input` for an event, or for that of an earlier firing. It starts and stores nothing.",
  permission: "manage",
  query: scopeQuerySchema,
  body: { schema: testTriggerRequestSchema },
  answers: { 200: { description: "The result. A mapping that fails is described too.", schema: triggerTestSchema } },
  errors: ["trigger_not_found", "firing_not_found", "invalid_input"],
  handle: async ({ engine, environment, params, principal, body }) => {
    const request = { environment, ...params, by: principal, ...named(body) };
    return reply(200, testAnswer(await engine.triggers.test(request)));
  },
});

export const pauseTrigger = defineOperation({
  id: "pauseTrigger",
  method: "POST",
  path: "/api/v1/triggers/:triggerId/pause",
  tag: "Triggers",
  summary: "Pause a trigger",
  description:
    "Times of a schedule that pass meanwhile fire neither then nor later; the firings record their number. Events are " +
    "skipped, or wait until the trigger is resumed.",
  permission: "manage",
  query: scopeQuerySchema,
  body: { schema: pauseTriggerRequestSchema, optional: true },
  answers: { 200: { description: "The trigger as it is now.", schema: triggerSchema } },
  errors: ["trigger_not_found"],
  handle: async ({ engine, environment, params, principal, body, inboundUrl }) => {
    const { events, reason } = body;
    const pause = { holdsEvents: events === "hold", ...named({ reason }) };
    const paused = await engine.triggers.pause({ environment, ...params, ...pause, by: principal });
    return reply(200, triggerAnswer(paused, inboundUrl));
  },
});

export const resumeTrigger = defineOperation({
  id: "resumeTrigger",
  method: "POST",
  path: "/api/v1/triggers/:triggerId/resume",
  tag: "Triggers",
  summary: "Resume a trigger",
  permission: "manage",
  query: scopeQuerySchema,
  body: noBody,
  answers: { 200: { description: "The trigger as it is now.", schema: triggerSchema } },
  errors: ["trigger_not_found"],
  handle: async ({ engine, environment, params, principal, inboundUrl }) =>
    reply(200, triggerAnswer(await engine.triggers.resume({ environment, ...params, by: principal }), inboundUrl)),
});

export const fireTrigger = defineOperation({
  id: "fireTrigger",
  method: "POST",
  path: "/api/v1/triggers/:triggerId/fire",
  tag: "Triggers",
  summary: "Fire a trigger now",
  description:
    "Also while the trigger is paused, and beside open runs, under any overlap. The run starts for the caller. A repeated " +
    "`Idempotency-Key` is the same firing; with another event, other data or by another person, it is refused.",
  permission: "run",
  query: scopeQuerySchema,
  body: { schema: fireTriggerRequestSchema, optional: true },
  headers: { "Idempotency-Key": idempotencyKeyHeaderSchema },
  answers: { 202: { description: "The firing is durable. Its run starts soon.", schema: firedTriggerSchema } },
  errors: ["trigger_not_found", "invalid_input", "idempotency_conflict"],
  handle: async (call) => {
    const { engine, environment, params, principal, body } = call;
    const idempotencyKey = idempotencyKeyOf(call);
    const request = { environment, ...params, by: principal, ...named(body), ...named({ idempotencyKey }) };
    const { firingId } = await engine.triggers.fire(request);
    return reply(202, { firingId });
  },
});

export const backfillTrigger = defineOperation({
  id: "backfillTrigger",
  method: "POST",
  path: "/api/v1/triggers/:triggerId/backfill",
  tag: "Triggers",
  summary: "Fire a trigger for a past period",
  description:
    "Fires the times of a schedule, or the events that the service lists, at most 100. Those that were accounted for are " +
    "left out, so that a repeated request fires none twice. Several times need the overlap `queue` or `allow`. A request counts " +
    "as a change of the trigger: its runs start for the person who asked. A paused trigger that skips events is refused.",
  permission: ["manage", "run"],
  query: scopeQuerySchema,
  body: { schema: backfillTriggerRequestSchema },
  answers: { 200: { description: "The numbers of firings.", schema: backfilledTriggerSchema } },
  errors: ["trigger_not_found", "invalid_input", "connection_not_found", "upstream_unreachable", "inbound_unavailable"],
  handle: async ({ engine, environment, params, principal, body, outside }) => {
    const { from, to } = body;
    const period = { fromMs: Date.parse(from), toMs: Date.parse(to) };
    const backfill = { environment, ...params, ...period, by: principal };
    return reply(200, await engine.triggers.backfill(backfill, { outside }));
  },
});

export const rotateTriggerSecret = defineOperation({
  id: "rotateTriggerSecret",
  method: "POST",
  path: "/api/v1/triggers/:triggerId/rotate",
  tag: "Triggers",
  summary: "Replace a webhook trigger's secret",
  description:
    "The old secret is accepted for another 24 hours, also when the secret is replaced again. At most five old ones are " +
    "accepted.",
  permission: "manage",
  query: scopeQuerySchema,
  body: noBody,
  answers: {
    200: { description: "The new secret, shown in this answer only.", schema: rotatedTriggerSecretSchema },
  },
  errors: ["trigger_not_found", "invalid_input"],
  handle: async ({ engine, environment, params, principal, isAwaited }) => {
    const request = { environment, ...params, by: principal };
    const { triggerId, secret, oldSecretExpiresAtMs } = await engine.triggers.rotate(request, { isAwaited });
    return reply(200, { id: triggerId, secret, oldSecretExpiresAt: timestamp(oldSecretExpiresAtMs) });
  },
});
