import * as z from "zod";
import { environmentSchema } from "./environment.ts";
import { errorCodeSchema } from "./error-body.ts";
import { idempotencyKeyTtlMsSchema } from "./idempotency-key-ttl.ts";
import { idSchema, procedureIdSchema, runIdSchema, versionNameSchema } from "./identifiers.ts";
import { jsonObjectSchema, jsonValueSchema, type JsonObject } from "./json.ts";
import { maxResultsTogether } from "./limits.ts";

/** The calls that a private connection's client makes under the SDK address. All are outbound from it. */

const maxInvocations = 100;

const functionName = z
  .string()
  .max(128)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, "must begin with a letter or digit and hold letters, digits, . _ - only");

/** A function that the client serves. */
export const functionDeclarationSchema = z
  .strictObject({
    name: functionName,
    description: z.string().min(1).max(10_000).meta({ description: "Shown to the agent." }),
    input: jsonObjectSchema.meta({ description: "JSON Schema of the input." }),
    requiresReview: z.boolean().default(false).meta({ description: "Whether a person approves each call." }),
    idempotent: z.boolean().default(false).meta({ description: "Whether a call may be made again." }),
    idempotencyKeyTtlMs: idempotencyKeyTtlMsSchema.optional().meta({
      description:
        "Of an idempotent function: how long it recognises a call's idempotency key, in milliseconds. Default: 86400000, a day.",
    }),
  })
  .refine(({ idempotent, idempotencyKeyTtlMs }) => idempotent || idempotencyKeyTtlMs === undefined, {
    path: ["idempotencyKeyTtlMs"],
    message: "is for idempotent functions only",
  })
  .meta({ id: "FunctionDeclaration" });

/** Body of `PUT /v1/sdk/functions`: the manifest, everything that the client serves. */
export const manifestSchema = z
  .strictObject({
    functions: z
      .array(functionDeclarationSchema)
      .min(1)
      .refine(
        (functions) => new Set(functions.map(({ name }) => name)).size === functions.length,
        "must not name a function twice",
      ),
  })
  .meta({ id: "Manifest" });

export const manifestDigestSchema = z.string().min(1).max(128);

/** Schema of {@link ManifestAccepted}. */
export const manifestAcceptedSchema = z
  .strictObject({ digest: manifestDigestSchema.meta({ description: "To be carried by polls." }) })
  .meta({ id: "ManifestAccepted" });

/** Query of `GET /v1/sdk/poll`. */
export const pollQuerySchema = z.strictObject({
  max: z.coerce
    .number<number>()
    .int()
    .min(1)
    .max(maxInvocations)
    .default(1)
    .meta({ description: "How many invocations the client can take." }),
  manifest: manifestDigestSchema
    .optional()
    .meta({ description: "Digest of the client's manifest. 412 when the service does not know it: send it again." }),
});

/** The facts of a call that a handler is given beside input and id. */
export const invocationContextSchema = z
  .strictObject({
    environment: environmentSchema,
    runId: runIdSchema.nullable(),
    procedureId: procedureIdSchema.nullable(),
    procedureVersion: versionNameSchema.nullable().meta({ description: "The version's name." }),
  })
  .meta({ id: "InvocationContext" });

/** A call of a function, leased to the client that polled. */
export const invocationSchema = z
  .strictObject({
    id: idSchema,
    function: functionName,
    input: jsonObjectSchema,
    leaseToken: z.string().min(1).max(256),
    idempotencyKey: z.string().meta({ description: "The same whenever this call is made again." }),
    context: invocationContextSchema,
  })
  .meta({ id: "Invocation" });

/** 200 of a poll; 204 without a body when there is no work. */
export const pollReplySchema = z
  .strictObject({ invocations: z.array(invocationSchema).min(1).max(maxInvocations) })
  .meta({ id: "PollReply" });

const leaseFields = { invocationId: idSchema, leaseToken: z.string().min(1).max(256) };

/** Body of `POST /v1/sdk/heartbeat`: extends the leases; the first one of an invocation acknowledges it. */
export const heartbeatSchema = z
  .strictObject({ invocations: z.array(z.strictObject(leaseFields)).min(1).max(maxInvocations) })
  .meta({ id: "Heartbeat" });

/** Schema of {@link HeartbeatReply}. */
export const heartbeatReplySchema = z
  .strictObject({
    abandon: z
      .array(idSchema)
      .meta({ description: "Ids of invocations that the client no longer holds: stop, and send no result." }),
  })
  .meta({ id: "HeartbeatReply" });

/** Body of `POST /v1/sdk/result`. Posting it again gets the same answer; 409 for a stale lease token. */
export const invocationResultSchema = z
  .discriminatedUnion("status", [
    z.strictObject({
      ...leaseFields,
      status: z.literal("ok"),
      output: jsonValueSchema.optional().meta({ description: "Left out when the function returned nothing." }),
    }),
    z.strictObject({
      ...leaseFields,
      status: z.literal("error"),
      error: z.string().meta({ description: "The error's message; appears in the step's output." }),
    }),
  ])
  .meta({ id: "InvocationResult" });

/**
 * Schema of results of different calls that are sent together. With a result schema that knows no more than `invocationId`,
 * the service can answer each result by itself.
 */
export function resultsTogetherOf<Result extends z.ZodType<{ readonly invocationId: string }>>(
  result: Result,
): z.ZodObject<{ results: z.ZodArray<Result> }, z.core.$strict> {
  return z.strictObject({
    results: z
      .array(result)
      .min(1)
      .max(maxResultsTogether)
      .refine(
        (results) => new Set(results.map(({ invocationId }) => invocationId)).size === results.length,
        "must not answer an invocation twice",
      ),
  });
}

/**
 * Body of `POST /v1/sdk/results`: each is settled by itself. Posting them again, together or apart, gets the same
 * answers.
 */
export const resultsTogetherSchema = resultsTogetherOf(invocationResultSchema).meta({ id: "ResultsTogether" });

/** The fate of one of several results: stored, or refused for good. */
export const resultSettlementSchema = z
  .discriminatedUnion("success", [
    z.strictObject({ invocationId: idSchema, success: z.literal(true) }),
    z.strictObject({
      invocationId: idSchema,
      success: z.literal(false),
      error: z.string().meta({ description: "Why the result was refused." }),
      code: errorCodeSchema,
    }),
  ])
  .meta({ id: "ResultSettlement" });

/** 200 of `POST /v1/sdk/results`: of each result, in the request's order. */
export const resultsSettledSchema = z
  .strictObject({ results: z.array(resultSettlementSchema).min(1).max(maxResultsTogether) })
  .meta({ id: "ResultsSettled" });

/** One function of a private connection, as its client declares it. */
export interface FunctionDeclaration {
  /** Name by which tool calls refer to the function. */
  name: string;
  /** The purpose of the function, for the agent and for people; 1 to 10,000 characters. */
  description: string;
  /** JSON Schema of the input. */
  input: JsonObject;
  /** Whether a person has to approve each call. @defaultValue false */
  requiresReview?: boolean | undefined;
  /** Whether calls with the same idempotency key have the effect of one call. @defaultValue false */
  idempotent?: boolean | undefined;
  /**
   * How long an idempotent function recognises a call's idempotency key, in milliseconds. @defaultValue 86400000, a
   * day
   */
  idempotencyKeyTtlMs?: number | undefined;
}
/** {@link FunctionDeclaration} after parsing, with its defaults. */
export type ParsedFunctionDeclaration = z.infer<typeof functionDeclarationSchema>;
/** The functions that a client of a private connection serves, as it registers them. */
export type Manifest = z.input<typeof manifestSchema>;
/** {@link Manifest} after parsing, with its defaults. */
export type ParsedManifest = z.infer<typeof manifestSchema>;
/** Answer to a registered manifest. */
export type ManifestAccepted = z.infer<typeof manifestAcceptedSchema>;
/** Query of a client's poll for invocations. */
export type PollQuery = z.input<typeof pollQuerySchema>;
/** {@link PollQuery} after parsing, with its defaults. */
export type ParsedPollQuery = z.infer<typeof pollQuerySchema>;
/** The facts of a call that a function's handler is given beside its arguments. */
export type InvocationContext = z.infer<typeof invocationContextSchema>;
/** One call of a private function, on its way to a client. */
export type Invocation = z.infer<typeof invocationSchema>;
/** Answer of a poll: the invocations that are leased to the client, none after an idle poll. */
export type PollReply = z.infer<typeof pollReplySchema>;
/** Body of a client's heartbeat: the invocations that it works on. */
export type Heartbeat = z.infer<typeof heartbeatSchema>;
/** Answer of a heartbeat: how long the leases hold, and the invocations that are to stop. */
export type HeartbeatReply = z.infer<typeof heartbeatReplySchema>;
/** The result of one invocation, or the error that it ended with. */
export type InvocationResult = z.infer<typeof invocationResultSchema>;
/** Body of a request that carries the results of several invocations. */
export type ResultsTogether = z.infer<typeof resultsTogetherSchema>;
/** The fate of one result among several that were sent together. */
export type ResultSettlement = z.infer<typeof resultSettlementSchema>;
/** Answer to results that were sent together, in their order. */
export type ResultsSettled = z.infer<typeof resultsSettledSchema>;
