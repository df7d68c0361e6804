import * as z from "zod";
import { jsonValueSchema } from "./json.ts";
import { timestampSchema } from "./timestamp.ts";

/** A message of the prompt. */
export const turnMessageSchema = z
  .discriminatedUnion("role", [
    z.strictObject({ role: z.literal("system"), text: z.string() }),
    z.strictObject({ role: z.literal("user"), text: z.string() }),
    z.strictObject({
      role: z.literal("tool"),
      toolCallId: z.string(),
      toolName: z.string(),
      output: jsonValueSchema.meta({ description: "Outcome of the proposed call, as sent to the model." }),
      isError: z.literal(true).optional(),
    }),
  ])
  .meta({ id: "TurnMessage" });

/** A part of a model's reply. */
export const replyPartSchema = z
  .discriminatedUnion("type", [
    z.strictObject({ type: z.literal("text"), text: z.string() }),
    z.strictObject({ type: z.literal("reasoning"), text: z.string() }),
    z.strictObject({
      type: z.literal("tool_call"),
      toolCallId: z.string(),
      toolName: z.string(),
      arguments: jsonValueSchema.meta({
        description: "As proposed: JSON as a value, its numbers with all their digits; other text as text.",
      }),
    }),
  ])
  .meta({ id: "ReplyPart" });

const tokens = z.int().min(0);

/** One prompt to a model, and its reply. */
export const runTurnSchema = z
  .strictObject({
    turn: z.int().min(1).meta({ description: "Which turn of the visit, from 1." }),
    attempts: z
      .int()
      .min(0)
      .meta({ description: "Number of requests to the model; 0 until the first one is answered or fails." }),
    modelId: z.string().optional().meta({ description: "As the answer names it, else as it was asked for." }),
    provider: z.string().optional(),
    messages: z.array(turnMessageSchema).meta({ description: "Messages that this turn added to the conversation." }),
    reply: z.array(replyPartSchema).optional(),
    finishReason: z.string().optional().meta({
      description: "Why the model stopped: stop, length, content-filter, tool-calls, error or other.",
    }),
    rawFinishReason: z.string().optional().meta({ description: "The same in the provider's own word." }),
    usage: z
      .strictObject({
        inputTokens: tokens,
        outputTokens: tokens,
        estimated: z
          .array(z.enum(["inputTokens", "outputTokens"]))
          .optional()
          .meta({
            description:
              "The figures that the provider did not report: estimates by the engine, as budgets count them.",
          }),
      })
      .optional(),
    latencyMs: z.number().min(0).optional().meta({ description: "Duration of the latest attempt." }),
    error: z.string().optional().meta({ description: "The reason for which the latest attempt had no answer." }),
    stop: z.enum(["called", "corrected", "answered", "concluded", "reviewed", "failed"]).optional().meta({
      description:
        "Consequence of the reply. `called`: its call was made; `corrected`: the model was asked to correct it; `answered`: it answered the question; `concluded`: it wanted no further call; `reviewed`: a review was opened; `failed`: the step failed.",
    }),
    startedAt: timestampSchema,
    completedAt: timestampSchema.optional(),
  })
  .meta({ id: "RunTurn" });
