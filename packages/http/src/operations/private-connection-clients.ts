import {
  heartbeatReplySchema,
  heartbeatSchema,
  idSchema,
  invocationResultSchema,
  manifestAcceptedSchema,
  manifestSchema,
  maxResultBytes,
  pollHoldMs,
  type PollReply,
  pollQuerySchema,
  pollReplySchema,
  requestProblems,
  type ResultSettlement,
  resultsSettledSchema,
  resultsTogetherOf,
  resultsTogetherSchema,
  successSchema,
} from "@procedo/contract";
import * as z from "zod";
import { defineClientOperation, nothing, reply } from "../operation.ts";
import { invalidRequest } from "../request/invalid-request.ts";
import { noQuery } from "./no-query.ts";

const clientId = z
  .string()
  .regex(/^[\x21-\x7e]{1,128}$/)
  .optional()
  .meta({ description: "Identifies this client among the clients of the same token." });

export const registerFunctions = defineClientOperation({
  id: "registerFunctions",
  method: "PUT",
  path: "/v1/sdk/functions",
  summary: "Register the functions of a client",
  description:
    "Clients of several versions may run side by side. Each client receives only calls of the functions that it registered.",
  query: noQuery,
  body: { schema: manifestSchema },
  answers: { 200: { description: "The functions are registered.", schema: manifestAcceptedSchema } },
  errors: [],
  handle: async ({ engine, client, body }) => reply(200, await engine.privateConnections.register(client, body)),
});

export const pollInvocations = defineClientOperation({
  id: "pollInvocations",
  method: "GET",
  path: "/v1/sdk/poll",
  summary: "Wait for calls",
  description:
    "The request is held for up to 25 s while there is no call. Each call is leased to this client for 60 s; without a " +
    "heartbeat in that time, the call goes to another client. `HEAD` is not supported.",
  query: pollQuerySchema,
  headers: { "Procedo-Client": clientId },
  answers: {
    200: { description: "Calls to make.", schema: pollReplySchema },
    204: { description: "There was no call. Poll again.", schema: nothing },
  },
  errors: ["manifest_required", "shutting_down"],
  handle: async (call) => {
    const { engine, client, query } = call;
    call.extend(pollHoldMs);
    const [id, version] = [call.header("procedo-client"), call.header("user-agent")];
    const invocations = await engine.privateConnections.poll(client, {
      max: query.max,
      manifest: query.manifest,
      signal: call.pollSignal(),
      ...(id !== undefined && { clientId: id }),
      ...(version !== undefined && { version }),
    });
    if (invocations.length === 0) return reply(204, undefined);
    const body: PollReply = { invocations: [...invocations] };
    return reply(200, body);
  },
});

export const extendLeases = defineClientOperation({
  id: "extendLeases",
  method: "POST",
  path: "/v1/sdk/heartbeat",
  summary: "Extend leases",
  description:
    "Extends each lease to 60 s from now. The first heartbeat of a call acknowledges the call. A function that is not idempotent may be " +
    "called only after the first heartbeat was answered.",
  query: noQuery,
  body: { schema: heartbeatSchema },
  answers: { 200: { description: "The calls that this client must abandon.", schema: heartbeatReplySchema } },
  errors: [],
  handle: async ({ engine, client, body }) => {
    const abandon = await engine.privateConnections.heartbeat(client, body.invocations);
    return reply(200, { abandon: [...abandon] });
  },
});

export const postResult = defineClientOperation({
  id: "postResult",
  method: "POST",
  path: "/v1/sdk/result",
  summary: "Send a call's result",
  description:
    "Up to 8 MiB. A repeated result gets the same answer. A number with more digits than a double can hold is stored as a " +
    "string with all its digits.",
  query: noQuery,
  body: { schema: invocationResultSchema, maxBytes: maxResultBytes, keepsDigits: true },
  answers: { 200: { description: "The run continues with this result.", schema: successSchema } },
  errors: ["stale_lease"],
  handle: async ({ engine, client, body }) => {
    await engine.privateConnections.result(client, body);
    return reply(200, { success: true });
  },
});

/** Validates only the ids of the results, so that a fault is reported for its own result alone. */
const namedResults = resultsTogetherOf(z.looseObject({ invocationId: idSchema }));

export const postResults = defineClientOperation({
  id: "postResults",
  method: "POST",
  path: "/v1/sdk/results",
  summary: "Send the results of several calls",
  description:
    "Results of up to 32 calls, together up to 8 MiB. Each result is settled as if it were sent alone. The refusal of one " +
    "result is final and does not affect the others. After an answer other than 200, the outcome of each result is unknown: " +
    "send the results again, together or one by one. A repeated result gets the same answer.",
  query: noQuery,
  body: {
    schema: namedResults,
    describedBy: resultsTogetherSchema,
    maxBytes: maxResultBytes,
    keepsDigits: true,
    envelopeLevels: 3,
  },
  answers: {
    200: { description: "The outcome of each result, in the request's order.", schema: resultsSettledSchema },
  },
  errors: [],
  handle: async ({ engine, client, body }) => {
    const settled = new Map<string, ResultSettlement>();
    const usable = body.results.flatMap((one) => {
      const { data, error } = invocationResultSchema.safeParse(one);
      if (error !== undefined) settled.set(one.invocationId, unusable(one.invocationId, error));
      return data ?? [];
    });
    for (const one of await engine.privateConnections.results(client, usable)) settled.set(one.invocationId, one);
    const results = body.results.flatMap(({ invocationId }) => settled.get(invocationId) ?? []);
    return reply(200, { results });
  },
});

function unusable(invocationId: string, error: z.ZodError): ResultSettlement {
  const { message, code } = invalidRequest("result", requestProblems(error));
  return { invocationId, success: false, error: message, code };
}
