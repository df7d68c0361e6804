import {
  firedTriggerSchema,
  firingDetailsSchema,
  firingPageSchema,
  getFiringQuerySchema,
  idempotencyKeyHeaderSchema,
  listFiringsQuerySchema,
  scopeQuerySchema,
} from "@procedo/contract";
import { defineOperation, reply } from "../operation.ts";
import { idempotencyKeyOf } from "./idempotency-key.ts";
import { named } from "./named.ts";
import { noBody } from "./no-body.ts";
import { pageAnswer, pageRequest } from "./page.ts";
import { firingAnswer } from "./trigger-answers.ts";

export const listFirings = defineOperation({
  id: "listFirings",
  method: "GET",
  path: "/api/v1/triggers/:triggerId/firings",
  tag: "Triggers",
  summary: "List a trigger's firings",
  description:
    "Newest first. Each occurrence is accounted for: it started a run, or its firing has the reason why not. A page examines " +
    "a bounded number of firings: with filters, it may be short or even empty although it has a `nextCursor`.",
  query: listFiringsQuerySchema,
  answers: { 200: { description: "One page of firings.", schema: firingPageSchema } },
  errors: ["trigger_not_found", "invalid_cursor"],
  handle: async ({ engine, environment, params, query }) => {
    const { status, from, to } = query;
    const page = await engine.triggers.firings({
      environment,
      ...params,
      ...pageRequest(query),
      ...named({ status }),
      ...(from !== undefined && { fromMs: Date.parse(from) }),
      ...(to !== undefined && { toMs: Date.parse(to) }),
    });
    return reply(200, pageAnswer(page, page.items.map(firingAnswer)));
  },
});

export const getFiring = defineOperation({
  id: "getFiring",
  method: "GET",
  path: "/api/v1/triggers/:triggerId/firings/:firingId",
  tag: "Triggers",
  summary: "Get a firing",
  query: getFiringQuerySchema,
  heavy: ({ include }) => include !== undefined,
  answers: { 200: { description: "The firing.", schema: firingDetailsSchema } },
  errors: ["trigger_not_found", "firing_not_found"],
  handle: async ({ engine, environment, params, query }) => {
    const { include = [] } = query;
    const firing = await engine.triggers.firing({ environment, ...params });
    const content = include.includes("event") ? firing.content : undefined;
    const input = include.includes("input") ? firing.input : undefined;
    return reply(200, { ...firingAnswer(firing), ...named({ content, input }) });
  },
});

export const refire = defineOperation({
  id: "refire",
  method: "POST",
  path: "/api/v1/triggers/:triggerId/firings/:firingId/refire",
  tag: "Triggers",
  summary: "Fire the event of a firing again",
  description:
    "For a firing that was skipped or failed: a new firing of the same event, by the mapping as it is now. The answer to a " +
    "repeated request has the same firing, unless that was skipped or failed. An `Idempotency-Key` asks for a firing of its " +
    "own; a repeated one is the same firing, and that of another person is refused.",
  permission: "run",
  query: scopeQuerySchema,
  body: noBody,
  headers: { "Idempotency-Key": idempotencyKeyHeaderSchema },
  answers: { 202: { description: "The new firing is durable. Its run starts soon.", schema: firedTriggerSchema } },
  errors: ["trigger_not_found", "firing_not_found", "invalid_input", "idempotency_conflict"],
  handle: async (call) => {
    const { engine, environment, params, principal } = call;
    const idempotencyKey = idempotencyKeyOf(call);
    const request = { environment, ...params, by: principal, ...named({ idempotencyKey }) };
    const { firingId } = await engine.triggers.refire(request);
    return reply(202, { firingId });
  },
});
