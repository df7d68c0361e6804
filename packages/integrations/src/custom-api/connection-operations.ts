import type { JsonObject } from "@procedo/contract";
import { isSupplied } from "../calls/supplied-parameters.ts";
import { changedOperation } from "../openapi/changed-operation.ts";
import type { ImportedApi, ImportedOperation } from "../openapi/imported-api.ts";
import { isList } from "../openapi/operations/is-list.ts";
import { isObject } from "../openapi/schema/json-object.ts";
import type { KeptSettings } from "./kept-settings.ts";

/** Settings that the operations of a connection depend on. */
export interface ReadingSettings extends Pick<KeptSettings, "authentication"> {
  readonly idempotencyHeader?: string | undefined;
  readonly effects?: KeptSettings["effects"] | undefined;
}

/** The operations as a connection has them: with its effects, and without the parameters that it supplies itself. */
export function connectionOperations(api: ImportedApi, settings: ReadingSettings): readonly ImportedOperation[] {
  const effects = settings.effects ?? {};
  return api.operations.map((operation) => {
    const own = withoutSupplied(operation, settings);
    const effect = Object.hasOwn(effects, operation.name) ? effects[operation.name] : undefined;
    return effect === undefined || effect === own.effect ? own : changedOperation(own, { effect });
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

function withoutProperties(schema: JsonObject, names: ReadonlySet<string>): JsonObject {
  const { properties, required, ...others } = schema;
  const kept = isObject(properties) ? Object.entries(properties).filter(([name]) => !names.has(name)) : [];
  const still = isList(required) ? required.filter((name) => typeof name !== "string" || !names.has(name)) : [];
  return { ...others, properties: Object.fromEntries(kept), ...(still.length === 0 ? {} : { required: still }) };
}
