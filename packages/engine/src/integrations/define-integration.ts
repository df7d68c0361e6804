import { createHash } from "node:crypto";
import {
  checkOptionNames,
  kindOf,
  ProcedoError,
  requestProblems,
  type Environment,
  type ErrorDetail,
  type JsonObject,
  type JsonValue,
  type OptionNames,
} from "@procedo/contract";
import { jsonPointer } from "@procedo/contract/syntax";
import * as z from "zod";
import type { AccountContext, ServiceAccount } from "./account-context.ts";
import { ActionAnswer } from "./action-answer.ts";
import { ActionError } from "./action-error.ts";
import type { Destination } from "../egress/connector.ts";
import { checkInbound } from "./check-inbound.ts";
import { checkDefinition, checkIntegrationFacts, checkIntegrationName, isObjectSchema } from "./check-integration.ts";
import { errorText } from "../ports/log.ts";
import { closedSchema } from "./closed-schema.ts";
import { connectionFields } from "./connection-fields.ts";
import type { Action, ActionEffect, CallAnswer, CallLimits, CodedIntegration } from "./integration.ts";
import type { InboundIntegration } from "./inbound-integration.ts";
import type { OAuthClientOf } from "./oauth-client.ts";
import type { ActionDefinition, DefineAction } from "./action-definition.ts";

/**
 * Types an action that uses neither settings nor secrets.
 *
 * @throws ProcedoError `invalid_configuration` for a missing, invalid or unknown option
 */
export const defineAction: DefineAction<JsonObject, { readonly [name: string]: string }> = (definition) =>
  checked(definition);

/** The options of `defineIntegration`: a name, settings, secrets and actions. */
export interface IntegrationDefinition<Settings extends z.ZodObject, Secrets extends z.ZodObject> {
  /** Name by which connections refer to it: 1 to 128 characters, no control characters. */
  readonly name: string;
  /** Name of the integration, for people. @defaultValue the name */
  readonly title?: string;
  /** The purpose of its service, in one or two words, such as `payments`. @defaultValue none */
  readonly category?: string;
  /** Schema of a connection's settings. @defaultValue no settings */
  readonly settings?: Settings;
  /** Schema of a connection's secrets, which are strings and stored encrypted. @defaultValue no secrets */
  readonly secrets?: Secrets;
  /**
   * Violations of rules between settings and secrets that fit their schemas. Their paths begin with `/settings` or
   * `/secrets`, and their messages continue a sentence that begins with the field. Pure. @defaultValue there are none
   */
  readonly check?: (connection: {
    readonly settings: z.output<Settings>;
    readonly secrets: z.output<Secrets>;
  }) => readonly ErrorDetail[];
  /**
   * The environment that the credentials of a connection belong to, if they tell: a connection of the other environment is
   * refused. Pure. @defaultValue they never tell
   */
  readonly environmentOf?: (connection: {
    readonly settings: z.output<Settings>;
    readonly secrets: z.output<Secrets>;
  }) => Environment | undefined;
  /**
   * The destination of calls that the settings of a connection name: a URL, or a host. It is checked before a connection is
   * saved, so that its author learns of an address that may not be reached. Pure. @defaultValue the settings name none
   */
  readonly destinationOf?: (settings: z.output<Settings>) => Destination | undefined;
  /**
   * Asks the service for the account of a connection's credentials, by harmless requests. It is the connection's test, and
   * with OAuth it is asked before tokens are stored.
   *
   * @throws ActionError when the service does not accept the credentials; ProcedoError `credentials_of_other_environment` for
   *   an account of the other environment, where only the service can tell
   * @defaultValue a test checks the settings and secrets only
   */
  readonly account?: (context: AccountContext<z.output<Settings>, z.output<Secrets>>) => Promise<ServiceAccount>;
  /**
   * The client by which a connection gets access tokens (OAuth 2.0): its authorization server, id and secret. Pure.
   *
   * @defaultValue the secrets of a connection are its credentials
   */
  readonly oauth?: OAuthClientOf<z.output<Settings>, z.output<Secrets>>;
  /** Limits of the service on the calls of a connection. @defaultValue none */
  readonly limits?: CallLimits;
  /** Actions by name, or a function that receives a `defineAction` typed with the settings and secrets. */
  readonly actions: ActionsOf<z.output<Settings>, z.output<Secrets>>;
  /** The events that the service sends. @defaultValue it sends none */
  readonly inbound?: InboundIntegration<z.output<Settings>, z.output<Secrets>>;
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
 * @throws ProcedoError `invalid_configuration` for a missing, invalid or unknown option of the integration or of an
 *   action
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
  checkOptionNames("defineIntegration", integrationNames, definition, "invalid_configuration");
  const { name, settings, secrets, category, limits } = definition;
  checkIntegrationName(name);
  checkIntegrationFacts(`The integration "${name}"`, definition);
  for (const [option, schema] of Object.entries({ settings, secrets })) checkObjectSchema(name, option, schema);
  checkInboundOf(name, secrets, definition.inbound);
  const define: DefineAction<z.output<Settings>, z.output<Secrets>> = (action) => checked(action);
  const actions =
    typeof definition.actions === "function" ? definition.actions({ defineAction: define }) : definition.actions;
  if (typeof actions !== "object" || (actions as unknown) === null) {
    throw invalid(
      `The integration "${name}" has actions that are ${kindOf(actions)}. Give an object of actions by name.`,
    );
  }
  return {
    kind: "coded",
    name,
    title: definition.title ?? name,
    ...(category !== undefined && { category }),
    needsConnection: settings !== undefined || secrets !== undefined,
    fields: connectionFields(settings, secrets),
    checkConnection: connectionCheck(definition),
    ...aboutConnection(definition),
    ...(limits !== undefined && { limits }),
    ...(settings !== undefined && { withDefaults: (given) => withDefaultsOf(settings, given) }),
    inbound: definition.inbound as InboundIntegration | undefined,
    actions: new Map(
      Object.entries(actions).map(([actionName, action]) => [
        actionName,
        toAction(name, actionName, action as unknown as ActionDefinition),
      ]),
    ),
  };
}

/** The violations of both schemas or, if there are none, of the rules between settings and secrets. */
function connectionCheck<Settings extends z.ZodObject, Secrets extends z.ZodObject>({
  settings = z.strictObject({}) as unknown as Settings,
  secrets = z.strictObject({}) as unknown as Secrets,
  check,
}: IntegrationDefinition<Settings, Secrets>): CodedIntegration["checkConnection"] {
  return (givenSettings, givenSecrets) => {
    const [read, opened] = [settings.safeParse(givenSettings), secrets.safeParse(givenSecrets)];
    if (read.success && opened.success) return check?.({ settings: read.data, secrets: opened.data }) ?? [];
    return [
      ...(read.success ? [] : fieldDetails(read.error, "/settings")),
      ...(opened.success ? [] : fieldDetails(opened.error, "/secrets")),
    ];
  };
}

/** The settings with the defaults of their schema, so that its functions get what their types promise. */
function withDefaultsOf(schema: z.ZodObject, given: JsonObject): JsonObject {
  const parsed = schema.safeParse(given);
  if (!parsed.success) return given;
  const missing = Object.entries(parsed.data as JsonObject).filter(([name]) => !Object.hasOwn(given, name));
  return { ...given, ...Object.fromEntries(missing) };
}

/** The functions about a connection. They receive settings and secrets that fit the schemas. */
function aboutConnection<Settings extends z.ZodObject, Secrets extends z.ZodObject>({
  environmentOf,
  destinationOf,
  account,
  oauth,
}: IntegrationDefinition<Settings, Secrets>): Pick<
  CodedIntegration,
  "environmentOf" | "destinationOf" | "account" | "oauth"
> {
  return {
    ...(destinationOf !== undefined && {
      destinationOf: (settings) => destinationOf(settings as z.output<Settings>),
    }),
    ...(environmentOf !== undefined && {
      environmentOf: (settings, secrets) =>
        environmentOf({ settings: settings as z.output<Settings>, secrets: secrets as z.output<Secrets> }),
    }),
    ...(account !== undefined && {
      account: (context) => account(context as AccountContext<z.output<Settings>, z.output<Secrets>>),
    }),
    ...(oauth !== undefined && {
      oauth: ({ environment, settings, secrets }) =>
        oauth({ environment, settings: settings as z.output<Settings>, secrets: secrets as z.output<Secrets> }),
    }),
  };
}

const integrationNames = {
  name: true,
  title: true,
  category: true,
  settings: true,
  secrets: true,
  check: true,
  environmentOf: true,
  destinationOf: true,
  account: true,
  oauth: true,
  limits: true,
  actions: true,
  inbound: true,
} satisfies OptionNames<IntegrationDefinition<z.ZodObject, z.ZodObject>>;

function checked<Definition>(definition: Definition): Definition {
  const description = (definition as { description?: unknown } | undefined)?.description;
  checkDefinition(typeof description === "string" ? `The action "${description}"` : "defineAction", definition);
  return definition;
}

function checkObjectSchema(integration: string, option: string, schema: unknown): void {
  if (schema === undefined || isObjectSchema(schema)) return;
  throw invalid(
    `The integration "${integration}" has ${option} that are ${kindOf(schema)}. Write z.object({ … }) of zod 4.`,
  );
}

function checkInboundOf(integration: string, secrets: z.ZodObject | undefined, inbound: unknown): void {
  const subject = `The integration "${integration}"`;
  checkInbound(subject, inbound);
  if (inbound === undefined || secrets !== undefined) return;
  throw invalid(`${subject} has inbound without secrets. Name the secret that its requests are verified with.`);
}

function toAction(integration: string, name: string, definition: ActionDefinition): Action {
  const subject = `The action "${name}" of the integration "${integration}"`;
  checkDefinition(subject, definition);
  const accepted = closedSchema(definition.input);
  const input = jsonSchemaOf(`${subject} takes an input`, accepted, "input");
  const output =
    definition.output === undefined ? undefined : jsonSchemaOf(`${subject} has an output`, definition.output, "output");
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
    idempotencyKeyTtlMs: definition.idempotencyKeyTtlMs,
    onUnknownOutcome: definition.onUnknownOutcome,
    check: (args) => violations(accepted, args, ""),
    call: async (args, context) => {
      const input = parsedInput(name, accepted, args);
      if (!input.success) {
        const message = `The arguments are no longer valid for "${name}": ${input.error.issues[0]?.message ?? ""}`;
        throw new ActionError(message, { outcome: "not_sent", retryable: false });
      }
      const result: unknown = await definition.run(input.data, context);
      if (ActionAnswer.isAnswer(result)) return answerOf(result);
      if (definition.output === undefined) return { output: result, violations: [] };
      return readOutput(definition.output, result);
    },
  };
}

function answerOf({ output, exchange, unusable }: ActionAnswer): CallAnswer {
  return {
    output,
    violations: [],
    ...(exchange !== undefined && { exchange }),
    ...(unusable !== undefined && { unusable }),
  };
}

/** Parses the arguments. A schema that throws makes the call `not_sent`. */
function parsedInput(name: string, accepted: z.ZodObject, args: JsonObject): ReturnType<z.ZodObject["safeParse"]> {
  try {
    return accepted.safeParse(args);
  } catch (cause) {
    const message = `The input schema of "${name}" failed. Nothing was sent. ${errorText(cause)}`;
    throw new ActionError(message, { outcome: "not_sent", retryable: false, cause });
  }
}

/** Parses the output. The work is done, so a schema that throws counts as a violation. */
function readOutput(schema: z.ZodType, result: unknown): CallAnswer {
  try {
    const parsed = schema.safeParse(result);
    return parsed.success
      ? { output: parsed.data, violations: [] }
      : { output: result, violations: details(parsed.error, "") };
  } catch (error) {
    return { output: result, violations: [{ path: "", message: `The output schema failed. ${errorText(error)}` }] };
  }
}

/** Converts a zod schema to JSON Schema. */
function jsonSchemaOf(subject: string, schema: z.ZodType, io: "input" | "output"): JsonObject {
  try {
    return z.toJSONSchema(schema, { io }) as JsonObject;
  } catch (cause) {
    const message = `${subject} that has no JSON Schema: ${errorText(cause)} Use types that JSON can hold, such as z.iso.datetime() for z.date().`;
    throw new ProcedoError("invalid_configuration", message, { cause });
  }
}

/** A digest of 16 characters of the action's name, effect and schemas. */
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
    path: pointer + jsonPointer(issue.path),
    message: issue.message,
  }));
}

/** The faults of a connection's fields, in words for the form that a person filled in. */
function fieldDetails(error: z.ZodError, pointer: string): readonly ErrorDetail[] {
  return requestProblems(error).map(({ path, message }) => ({ path: pointer + path, message }));
}

function invalid(message: string): ProcedoError {
  return new ProcedoError("invalid_configuration", message);
}
