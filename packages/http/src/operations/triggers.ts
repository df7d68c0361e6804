import {
  createdTriggerSchema,
  createTriggerRequestSchema,
  listTriggersQuerySchema,
  previewTriggerRequestSchema,
  scopeQuerySchema,
  successSchema,
  triggerPageSchema,
  triggerPreviewSchema,
  triggerSchema,
  updateTriggerRequestSchema,
} from "@procedo/contract";
import { defineOperation, reply } from "../operation.ts";
import { named } from "./named.ts";
import { noBody } from "./no-body.ts";
import { pageAnswer, pageRequest } from "./page.ts";
import { testAnswer, timeAnswer, triggerAnswer } from "./trigger-answers.ts";

/** A trigger starts runs for the person who wrote it, so that both are needed. */
const permission = ["manage", "run"] as const;

export const listTriggers = defineOperation({
  id: "listTriggers",
  method: "GET",
  path: "/api/v1/triggers",
  tag: "Triggers",
  summary: "List triggers",
  description:
    "A page examines a bounded number of triggers: with filters, it may be short or even empty although it has a `nextCursor`.",
  query: listTriggersQuerySchema,
  answers: { 200: { description: "One page of triggers.", schema: triggerPageSchema } },
  errors: ["invalid_cursor"],
  handle: async ({ engine, environment, query, inboundUrl }) => {
    const { procedureId, kind, connection, state } = query;
    const filters = named({ procedureId, kind, connection, state });
    const page = await engine.triggers.list({ environment, ...pageRequest(query), ...filters });
    const triggers = page.items.map((trigger) => triggerAnswer(trigger, inboundUrl));
    return reply(200, pageAnswer(page, triggers));
  },
});

export const createTrigger = defineOperation({
  id: "createTrigger",
  method: "POST",
  path: "/api/v1/triggers",
  tag: "Triggers",
  summary: "Create a trigger",
  description:
    "The trigger is active at once. Its runs start for the person who last changed it, and need that person's permission " +
    "`run` each time.",
  permission,
  query: scopeQuerySchema,
  body: { schema: createTriggerRequestSchema },
  answers: {
    201: {
      description: "The trigger. The secret of a webhook trigger is shown in this answer only.",
      schema: createdTriggerSchema,
    },
  },
  errors: [
    "invalid_input",
    "procedure_not_found",
    "version_not_found",
    "connection_not_found",
    "name_taken",
    "limit_reached",
  ],
  handle: async ({ engine, environment, principal, body, inboundUrl, isAwaited }) => {
    const trigger = { environment, by: principal, ...named(body) };
    const { secret, ...created } = await engine.triggers.create(trigger, { isAwaited });
    return reply(201, { ...triggerAnswer(created, inboundUrl), ...named({ secret }) });
  },
});

export const previewTrigger = defineOperation({
  id: "previewTrigger",
  method: "POST",
  onlyReads: true,
  path: "/api/v1/triggers/preview",
  tag: "Triggers",
  summary: "Preview a trigger",
  description:
    "The next five times of a schedule, each in its zone, with the reason where one is shifted. With a `mapping`, also the " +
    "input that it makes of an event. Nothing is stored or started.",
  query: scopeQuerySchema,
  body: { schema: previewTriggerRequestSchema },
  answers: { 200: { description: "The times, and the result of the mapping.", schema: triggerPreviewSchema } },
  errors: ["invalid_input"],
  handle: async ({ engine, environment, principal, body: { source, mapping } }) => {
    const next = (await engine.triggers.preview({ source })).map(timeAnswer);
    if (mapping === undefined) return reply(200, { next });
    const test = await engine.triggers.testMapping({ environment, by: principal, source, ...named(mapping) });
    return reply(200, { next, test: testAnswer(test) });
  },
});

export const getTrigger = defineOperation({
  id: "getTrigger",
  method: "GET",
  path: "/api/v1/triggers/:triggerId",
  tag: "Triggers",
  summary: "Get a trigger",
  query: scopeQuerySchema,
  answers: { 200: { description: "The trigger.", schema: triggerSchema } },
  errors: ["trigger_not_found"],
  handle: async ({ engine, environment, params, inboundUrl }) =>
    reply(200, triggerAnswer(await engine.triggers.get({ environment, ...params }), inboundUrl)),
});

export const updateTrigger = defineOperation({
  id: "updateTrigger",
  method: "PATCH",
  path: "/api/v1/triggers/:triggerId",
  tag: "Triggers",
  summary: "Change a trigger",
  description:
    "Named fields are replaced. All others stay unchanged. A changed schedule counts from now: no time of the former one " +
    "fires after the answer. The address and the secret of a webhook trigger stay.",
  permission,
  query: scopeQuerySchema,
  body: { schema: updateTriggerRequestSchema },
  answers: { 200: { description: "The trigger as it is now.", schema: triggerSchema } },
  errors: [
    "trigger_not_found",
    "invalid_input",
    "procedure_not_found",
    "version_not_found",
    "connection_not_found",
    "name_taken",
    "revision_conflict",
  ],
  handle: async ({ engine, environment, params, principal, body, inboundUrl }) => {
    const changes = { environment, ...params, by: principal, ...named(body) };
    return reply(200, triggerAnswer(await engine.triggers.update(changes), inboundUrl));
  },
});

export const deleteTrigger = defineOperation({
  id: "deleteTrigger",
  method: "DELETE",
  path: "/api/v1/triggers/:triggerId",
  tag: "Triggers",
  summary: "Delete a trigger",
  description: "Firings that have not started yet start no runs any more. Open runs continue.",
  permission,
  query: scopeQuerySchema,
  body: noBody,
  answers: { 200: { description: "The trigger is deleted.", schema: successSchema } },
  errors: ["trigger_not_found"],
  handle: async ({ engine, environment, params, principal }) => {
    await engine.triggers.remove({ environment, ...params, by: principal });
    return reply(200, { success: true });
  },
});
