import {
  checkOptionNames,
  idempotencyKeyTtlBoundsMs,
  kindOf,
  privateConnectionIntegration,
  ProcedoError,
  quotedValue,
  type OptionNames,
} from "@procedo/contract";
import type { ActionDefinition } from "./action-definition.ts";
import { checkInbound } from "./check-inbound.ts";
import {
  actionEffects,
  type Action,
  type ActionEffect,
  type CallLimits,
  type CodedIntegration,
  type ConnectionFields,
  type DocumentedIntegration,
  type Integration,
} from "./integration.ts";

/*
 * Checks of integrations that are defined in code, for programs without types. Without them, a wrong effect or a
 * misspelt option would be noticed only when a call fails, or never.
 */

const definitionNames = {
  description: true,
  input: true,
  output: true,
  effect: true,
  timeoutMs: true,
  idempotencyKeyTtlMs: true,
  onUnknownOutcome: true,
  run: true,
} satisfies OptionNames<ActionDefinition>;

const limitNames = { concurrent: true, perMinute: true } satisfies OptionNames<CallLimits>;

/** The same bounds as in a procedure document. */
const timeoutBoundsMs = { min: 1, max: 3_600_000 };

/** Whether a value is one of the effects that the engine knows. */
export function isActionEffect(effect: unknown): effect is ActionEffect {
  return actionEffects.includes(effect as ActionEffect);
}

/** Describes an invalid effect and the valid ones, as the end of a sentence. */
export function effectProblem(effect: unknown): string {
  const found = effect === undefined ? "no effect" : `the effect ${quotedValue(effect)}`;
  return (
    `has ${found}. Say what calling it again may do: "read" (it changes nothing), "idempotent" (calling again with the ` +
    `same idempotency key changes nothing more) or "once" (calling again might do it again).`
  );
}

/**
 * Checks an action that is defined in code.
 *
 * @param subject - the beginning of the message
 * @throws ProcedoError `invalid_configuration`
 */
export function checkDefinition(subject: string, definition: unknown): void {
  checkOptionNames(subject, definitionNames, definition, "invalid_configuration");
  const { description, input, output, run, ...facts } = definition as Partial<Record<keyof ActionDefinition, unknown>>;
  if (typeof description !== "string" || description === "") {
    refuse(subject, "has no description. Say what it does, for the people who build procedures and for the agent.");
  }
  if (!isObjectSchema(input))
    refuse(subject, `takes an input that is ${kindOf(input)}. Write z.object({ … }) of zod 4.`);
  if (output !== undefined && !isSchema(output)) {
    refuse(subject, `has an output that is ${kindOf(output)}. Write a schema of zod 4, or leave it out.`);
  }
  checkFacts(subject, facts);
  if (facts.effect === "read" && facts.idempotencyKeyTtlMs !== undefined) {
    refuse(subject, "has an idempotencyKeyTtlMs, but a read needs no idempotency key. Leave it out.");
  }
  const { effect, onUnknownOutcome } = facts;
  if (onUnknownOutcome !== undefined && (onUnknownOutcome !== "retry" || effect !== "once")) {
    refuse(
      subject,
      `has the onUnknownOutcome ${quotedValue(onUnknownOutcome)} and the effect ${quotedValue(effect)}. Use "retry", and ` +
        `only for "once": a call with another effect is made again anyway.`,
    );
  }
  if (typeof run !== "function")
    refuse(subject, `has a run that is ${kindOf(run)}. Give the function that makes the call.`);
}

/**
 * Checks that an integration fulfils its port.
 *
 * @throws ProcedoError `invalid_configuration`
 */
export function checkIntegration(integration: Integration): void {
  if (typeof integration !== "object" || integration === null) {
    throw invalid(`The option integrations holds ${kindOf(integration)}. Give what defineIntegration returns.`);
  }
  checkIntegrationName(integration.name);
  const subject = `The integration "${integration.name}"`;
  switch (integration.kind) {
    case "coded":
      needFunctions<CodedIntegration>(subject, integration, ["checkConnection"]);
      needFields(subject, integration.fields);
      checkIntegrationFacts(subject, integration);
      checkInbound(subject, integration.inbound);
      if (!(integration.actions instanceof Map)) {
        refuse(subject, `has actions that are ${kindOf(integration.actions)}. Give a Map of actions by their names.`);
      }
      for (const [name, action] of integration.actions as ReadonlyMap<unknown, unknown>) {
        checkAction(`The action ${quotedValue(name)} of the integration "${integration.name}"`, name, action);
      }
      return;
    case "documented":
      needFunctions<DocumentedIntegration>(subject, integration, ["prepare", "actions", "test"]);
      checkFunctions(subject, { oauth: integration.oauth });
      return needFields(subject, integration.fields);
    default:
      refuse(
        subject,
        `is of the kind ${quotedValue((integration as { kind?: unknown }).kind)}. Make it by defineIntegration.`,
      );
  }
}

/** @throws ProcedoError `invalid_configuration` */
export function checkIntegrationName(name: unknown): void {
  if (typeof name !== "string" || !/^[^\p{Cc}\p{Cs}]{1,128}$/u.test(name)) {
    throw invalid(
      `An integration has the name ${quotedValue(name)}. Give 1 to 128 characters, none of them a control.`,
    );
  }
  if (name === privateConnectionIntegration) {
    throw invalid(`The name "${name}" is that of private connections. Name the integration differently.`);
  }
}

/**
 * Checks what an integration says of itself and of its credentials.
 *
 * @throws ProcedoError `invalid_configuration`
 */
export function checkIntegrationFacts(
  subject: string,
  integration: Partial<
    Record<"category" | "check" | "environmentOf" | "destinationOf" | "account" | "oauth" | "limits", unknown>
  >,
): void {
  const { category, check, environmentOf, destinationOf, account, oauth, limits } = integration;
  if (category !== undefined && (typeof category !== "string" || !/^[^\p{Cc}\p{Cs}]{1,64}$/u.test(category)))
    refuse(subject, `has the category ${quotedValue(category)}. Give 1 to 64 characters, such as "payments".`);
  checkFunctions(subject, { check, environmentOf, destinationOf, account, oauth });
  if (limits === undefined) return;
  checkOptionNames(`${subject}: limits`, limitNames, limits, "invalid_configuration");
  for (const [name, limit] of Object.entries(limits as CallLimits)) {
    if (!Number.isInteger(limit) || Number(limit) < 1)
      refuse(subject, `has a limit ${name} of ${quotedValue(limit)}. Give a whole number from 1.`);
  }
}

function checkFunctions(subject: string, options: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && typeof value !== "function")
      refuse(subject, `has the option ${name} that is ${kindOf(value)}. Give a function, or leave it out.`);
  }
}

/** Checks an action object, which may not come from `defineIntegration`. */
function checkAction(subject: string, name: unknown, action: unknown): void {
  if (typeof action !== "object" || action === null) refuse(subject, `is ${kindOf(action)}. Give an action.`);
  const given = action as Partial<Record<keyof Action, unknown>>;
  if (given.name !== name)
    refuse(subject, `calls itself ${quotedValue(given.name)}. Use the same name in both places.`);
  checkFacts(subject, given);
  if (typeof given.revision !== "string" || given.revision === "") {
    refuse(subject, "has no revision. Give a text that changes with its name, schemas and effect.");
  }
  needFunctions<Action>(subject, given, ["check", "call"]);
}

function needFunctions<T>(
  subject: string,
  given: Partial<Record<keyof T, unknown>>,
  names: readonly (keyof T)[],
): void {
  for (const name of names) {
    const value = given[name];
    if (typeof value !== "function")
      refuse(subject, `has a ${String(name)} that is ${kindOf(value)}. Give a function.`);
  }
}

function needFields(subject: string, fields: unknown): void {
  const { settings, secrets, authentication } = (fields ?? {}) as Partial<Record<keyof ConnectionFields, unknown>>;
  if (typeof settings === "object" && Array.isArray(secrets) && Array.isArray(authentication)) return;
  refuse(subject, "has no fields. Give { settings, secrets, authentication }, with a JSON Schema and two lists.");
}

type CheckedFacts = Partial<Record<"effect" | "timeoutMs" | "idempotencyKeyTtlMs", unknown>>;

function checkFacts(subject: string, { effect, timeoutMs, idempotencyKeyTtlMs }: CheckedFacts): void {
  if (!isActionEffect(effect)) refuse(subject, effectProblem(effect));
  checkMs(subject, "timeoutMs", timeoutMs, timeoutBoundsMs);
  checkMs(subject, "idempotencyKeyTtlMs", idempotencyKeyTtlMs, idempotencyKeyTtlBoundsMs);
}

function checkMs(
  subject: string,
  name: string,
  ms: unknown,
  { min, max }: { readonly min: number; readonly max: number },
): void {
  if (ms === undefined || (Number.isInteger(ms) && Number(ms) >= min && Number(ms) <= max)) return;
  refuse(subject, `has the ${name} ${quotedValue(ms)}. Give a whole number from ${min} to ${max}.`);
}

/** Checks the members that are used, because the schema may come from another installed copy of zod. */
function isSchema(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { safeParse, _zod: internals } = value as { safeParse?: unknown; _zod?: unknown };
  return typeof safeParse === "function" && typeof internals === "object";
}

export function isObjectSchema(value: unknown): boolean {
  return isSchema(value) && (value as { def?: { type?: unknown } }).def?.type === "object";
}

function refuse(subject: string, problem: string): never {
  throw invalid(`${subject} ${problem}`);
}

function invalid(message: string): ProcedoError {
  return new ProcedoError("invalid_configuration", message);
}
