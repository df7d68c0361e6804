import { createHash } from "node:crypto";
import { ProcedoError, type ErrorDetail, type JsonObject, type JsonValue } from "@procedo/contract";
import * as z from "zod";
import { ActionError } from "./action-error.ts";
import type { Action, ActionEffect, CallContext, CodedIntegration } from "./integration.ts";

/** A call's context with the connection's settings and secrets typed. */
export interface ActionContext<Settings = JsonObject, Secrets = { readonly [name: string]: string }> extends Omit<
  CallContext,
  "settings" | "secrets"
> {
  readonly settings: Settings;
  readonly secrets: Secrets;
}

export interface ActionDefinition<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
  Settings = JsonObject,
  Secrets = { readonly [name: string]: string },
> {
  /** What the action does, for the people who build procedures and for the agent. */
  readonly description: string;
  readonly input: Input;
  /** @defaultValue anything that JSON can carry */
  readonly output?: Output;
  readonly effect: ActionEffect;
  /** How long one attempt may take, in milliseconds, 1 to 3600000. @defaultValue 60000 */
  readonly timeoutMs?: number;
  /** Must pass `context.idempotencyKey` on where the other side takes one, and end when `context.signal` does. */
  readonly run: (
    input: z.output<Input>,
    context: ActionContext<Settings, Secrets>,
  ) => Promise<z.input<Output>> | z.input<Output>;
}

/** Types an action; the settings and secrets of its context are those of the integration that takes it. */
export type DefineAction<Settings, Secrets> = <Input extends z.ZodObject, Output extends z.ZodType>(
  definition: ActionDefinition<Input, Output, Settings, Secrets>,
) => ActionDefinition<z.ZodObject, z.ZodType, Settings, Secrets>;

/**
 * Types an action that uses neither settings nor secrets.
 *
 * @throws ProcedoError `invalid_configuration` for a `timeoutMs` that is none
 */
export const defineAction: DefineAction<JsonObject, { readonly [name: string]: string }> = (definition) =>
  checked(definition);

export interface IntegrationDefinition<Settings extends z.ZodObject, Secrets extends z.ZodObject> {
  /** Names it in connections: letters, digits, `_` and `-`. */
  readonly name: string;
  /** @defaultValue the name */
  readonly title?: string;
  /** What a connection is configured with. @defaultValue nothing */
  readonly settings?: Settings;
  /** What a connection holds encrypted; strings only. @defaultValue nothing */
  readonly secrets?: Secrets;
  /** By name. A function gets a `defineAction` that knows the settings and secrets. */
  readonly actions: ActionsOf<z.output<Settings>, z.output<Secrets>>;
}

type ActionRecord<Settings, Secrets> = {
  readonly [name: string]: ActionDefinition<z.ZodObject, z.ZodType, Settings, Secrets>;
};

type ActionsOf<Settings, Secrets> =
  | { readonly [name: string]: ActionDefinition }
  | ((tools: { readonly defineAction: DefineAction<Settings, Secrets> }) => ActionRecord<Settings, Secrets>);

/**
 * An integration written in code.
 *
 * @throws ProcedoError `invalid_configuration` for an action whose `timeoutMs` is none
 * @example
 * const ledger = defineIntegration({
 *   name: "ledger",
 *   settings: z.object({ baseUrl: z.url() }),
 *   actions: ({ defineAction }) => ({
 *     get_vendor: defineAction({
 *       description: "Looks a vendor up.",
 *       input: z.object({ id: z.string() }),
 *       effect: "read",
 *       run: async ({ id }, { settings, fetch }) => (await fetch(`${settings.baseUrl}/vendors/${id}`)).json(),
 *     }),
 *   }),
 * });
 */
export function defineIntegration<
  Settings extends z.ZodObject = z.ZodObject<Record<never, z.ZodType>>,
  Secrets extends z.ZodObject = z.ZodObject<Record<never, z.ZodType>>,
>(definition: IntegrationDefinition<Settings, Secrets>): CodedIntegration {
  const { name, settings, secrets } = definition;
  const define: DefineAction<z.output<Settings>, z.output<Secrets>> = (action) => checked(action);
  const actions =
    typeof definition.actions === "function" ? definition.actions({ defineAction: define }) : definition.actions;
  return {
    kind: "coded",
    name,
    title: definition.title ?? name,
    needsConnection: settings !== undefined || secrets !== undefined,
    checkConnection: (givenSettings, givenSecrets) => [
      ...violations(settings ?? z.strictObject({}), givenSettings, "/settings"),
      ...violations(secrets ?? z.strictObject({}), givenSecrets, "/secrets"),
    ],
    actions: new Map(
      Object.entries(actions).map(([actionName, action]) => [
        actionName,
        toAction(actionName, checked(action as unknown as ActionDefinition)),
      ]),
    ),
  };
}

const maxTimeoutMs = 3_600_000;

/** Holds what code says to what a document may say. */
function checked<Definition extends Pick<ActionDefinition, "description" | "timeoutMs">>(
  definition: Definition,
): Definition {
  const { description, timeoutMs } = definition;
  if (timeoutMs === undefined) return definition;
  if (Number.isInteger(timeoutMs) && timeoutMs >= 1 && timeoutMs <= maxTimeoutMs) return definition;
  const message = `The action "${description}" has the timeoutMs ${timeoutMs}. Give a whole number from 1 to ${maxTimeoutMs}.`;
  throw new ProcedoError("invalid_configuration", message);
}

function toAction(name: string, definition: ActionDefinition): Action {
  const accepted = closed(definition.input);
  const input = z.toJSONSchema(accepted, { io: "input" }) as JsonObject;
  const output =
    definition.output === undefined ? undefined : (z.toJSONSchema(definition.output, { io: "output" }) as JsonObject);
  return {
    name,
    description: definition.description,
    effect: definition.effect,
    input,
    output,
    revision: revisionOf(name, definition.effect, input, output),
    deprecated: false,
    operation: undefined,
    timeoutMs: definition.timeoutMs,
    check: (args) => violations(accepted, args, ""),
    call: async (args, context) => {
      const input = accepted.safeParse(args);
      if (!input.success) {
        const message = `The arguments do not fit "${name}" any more: ${input.error.issues[0]?.message ?? ""}`;
        throw new ActionError(message, { outcome: "not_sent", retryable: false });
      }
      const result: unknown = await definition.run(input.data, context);
      if (definition.output === undefined) return { output: result, violations: [] };
      const parsed = definition.output.safeParse(result);
      return parsed.success
        ? { output: parsed.data, violations: [] }
        : { output: result, violations: details(parsed.error, "") };
    },
  };
}

/**
 * An object schema that says nothing of other members refuses them: an argument that was shown and approved must not
 * be dropped on its way. `z.looseObject` still takes anything.
 */
function closed(input: z.ZodObject): z.ZodObject {
  return input.def.catchall === undefined ? input.strict() : input;
}

/** 16 characters that stand for what an action is. */
function revisionOf(name: string, effect: ActionEffect, input: JsonObject, output: JsonObject | undefined): string {
  return createHash("sha256")
    .update(JSON.stringify([name, effect, input, output ?? null]))
    .digest("base64url")
    .slice(0, 16);
}

function violations(schema: z.ZodType, value: JsonValue, pointer: string): readonly ErrorDetail[] {
  const parsed = schema.safeParse(value);
  return parsed.success ? [] : details(parsed.error, pointer);
}

function details(error: z.ZodError, pointer: string): readonly ErrorDetail[] {
  return error.issues.map((issue) => ({
    path: pointer + issue.path.map((name) => `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`).join(""),
    message: issue.message,
  }));
}
