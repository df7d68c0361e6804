import type { JsonObject } from "@procedo/contract";
import { isSupplied } from "../calls/supplied-parameters.ts";
import { changedOperation } from "../openapi/changed-operation.ts";
import type { ImportedApi, ImportedInput, ImportedOperation } from "../openapi/imported-api.ts";
import { isList } from "../openapi/operations/is-list.ts";
import { isObject } from "../openapi/schema/json-object.ts";
import { formatRewriter } from "./format-forms.ts";
import type { KeptSettings } from "./kept-settings.ts";

/** The settings of a connection that change its operations. */
export interface ReadingSettings extends Pick<KeptSettings, "authentication"> {
  readonly idempotencyHeader?: string | undefined;
  readonly headers?: KeptSettings["headers"] | undefined;
  readonly formats?: KeptSettings["formats"] | undefined;
  readonly effects?: KeptSettings["effects"] | undefined;
}

/**
 * The operations of a connection: with its effects, without the parameters that it supplies, and with the parameters
 * optional that one of its headers provides.
 */
export function connectionOperations(api: ImportedApi, settings: ReadingSettings): readonly ImportedOperation[] {
  const effects = settings.effects ?? {};
  const inForms = settings.formats === undefined ? undefined : formatRewriter(settings.formats);
  return api.operations.map((operation) => {
    const supplied = withFixedHeaders(withoutSupplied(operation, settings), settings.headers ?? {});
    const own = inForms === undefined ? supplied : withForms(supplied, inForms);
    const effect = Object.hasOwn(effects, operation.name) ? effects[operation.name] : undefined;
    return effect === undefined || effect === own.effect ? own : changedOperation(own, { effect });
  });
}

function withForms(operation: ImportedOperation, inForms: (schema: JsonObject) => JsonObject): ImportedOperation {
  return changedOperation(operation, {
    input: inForms(operation.input),
    get output() {
      const { output } = operation;
      return output === undefined ? undefined : inForms(output);
    },
  });
}

function withoutSupplied(operation: ImportedOperation, settings: ReadingSettings): ImportedOperation {
  const supplied = new Set(operation.inputs.filter((input) => isSupplied(input, settings)).map(({ input }) => input));
  if (supplied.size === 0) return operation;
  return changedOperation(operation, {
    inputs: operation.inputs.filter(({ input }) => !supplied.has(input)),
    input: withoutProperties(operation.input, supplied),
  });
}

function withFixedHeaders(operation: ImportedOperation, headers: Readonly<Record<string, string>>): ImportedOperation {
  const fixed = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const isFixed = (input: ImportedInput): boolean => input.in === "header" && fixed.has(input.name.toLowerCase());
  if (fixed.size === 0 || !operation.inputs.some((input) => isFixed(input) && input.required)) return operation;
  const optional = new Set(operation.inputs.filter(isFixed).map(({ input }) => input));
  return changedOperation(operation, {
    inputs: operation.inputs.map((input) => (isFixed(input) ? { ...input, required: false } : input)),
    input: withoutRequired(operation.input, optional),
  });
}

function withoutProperties(schema: JsonObject, names: ReadonlySet<string>): JsonObject {
  const { properties, ...others } = schema;
  const kept = isObject(properties) ? Object.entries(properties).filter(([name]) => !names.has(name)) : [];
  return { ...withoutRequired(others, names), properties: Object.fromEntries(kept) };
}

function withoutRequired({ required, ...others }: JsonObject, names: ReadonlySet<string>): JsonObject {
  const still = isList(required) ? required.filter((name) => typeof name !== "string" || !names.has(name)) : [];
  return { ...others, ...(still.length === 0 ? {} : { required: still }) };
}
