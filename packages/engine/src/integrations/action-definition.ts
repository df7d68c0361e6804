import type * as z from "zod";
import type { JsonObject } from "@procedo/contract";
import type { ActionAnswer } from "./action-answer.ts";
import type { ActionEffect, CallContext } from "./integration.ts";

/** A call's context with the connection's settings and secrets typed. */
export interface ActionContext<Settings = JsonObject, Secrets = { readonly [name: string]: string }> extends Omit<
  CallContext,
  "settings" | "secrets"
> {
  /** The connection's settings, of the type that the integration declares. */
  readonly settings: Settings;
  /** The connection's secrets in plain text, of the type that the integration declares. */
  readonly secrets: Secrets;
}

/** An action of a coded integration: its schemas, its effect, and the function that makes the call. */
export interface ActionDefinition<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
  Settings = JsonObject,
  Secrets = { readonly [name: string]: string },
> {
  /** The purpose of the action, for the people who build procedures and for the agent. */
  readonly description: string;
  /** Schema of the arguments: a zod object. */
  readonly input: Input;
  /** Schema of the output, which `run` returns, itself or in an {@link ActionAnswer}. @defaultValue any JSON value */
  readonly output?: Output;
  /**
   * The effect of a repeated call. `read`: it changes nothing. `idempotent`: calls with the same idempotency key have
   * the effect of one call. `once`: a repetition may do the work twice, so a call of unknown outcome waits for a person
   * unless the procedure says otherwise.
   */
  readonly effect: ActionEffect;
  /** Time limit of one attempt, in milliseconds, 1 to 3600000. @defaultValue 60000 */
  readonly timeoutMs?: number;
  /**
   * Time for which the service keeps an idempotency key, in milliseconds, 1000 to 315360000000 (ten years). During this
   * time a call of unknown outcome is repeated automatically; afterwards a person decides. Not for `effect: "read"`.
   *
   * @defaultValue 86400000, a day
   */
  readonly idempotencyKeyTtlMs?: number;
  /**
   * `retry`: a call of unknown outcome is made again without asking a person, because doing the work twice does little
   * harm, as a second message does. Only for `effect: "once"`. The node of a procedure may say otherwise.
   *
   * @defaultValue a person decides
   */
  readonly onUnknownOutcome?: "retry";
  /**
   * Makes the call. It must send `context.idempotencyKey` if the service accepts one, and end when `context.signal`
   * aborts.
   */
  readonly run: (
    input: z.output<Input>,
    context: ActionContext<Settings, Secrets>,
  ) => Promise<z.input<Output> | ActionAnswer> | z.input<Output> | ActionAnswer;
}

/** Types an action whose context has the settings and secrets of its integration. */
export type DefineAction<Settings, Secrets> = <Input extends z.ZodObject, Output extends z.ZodType>(
  definition: ActionDefinition<Input, Output, Settings, Secrets>,
) => ActionDefinition<z.ZodObject, z.ZodType, Settings, Secrets>;
