import { createHash } from "node:crypto";
import type { ErrorDetail, JsonObject } from "@procedo/contract";
import { ActionError, type Action, type CallAnswer, type CallContext } from "@procedo/engine";
import { compileSchema, type SchemaResult } from "@procedo/procedure";
import { callOperation } from "../calls/call-operation.ts";
import type { ImportedOperation } from "../openapi/imported-api.ts";
import { inSlices } from "./in-slices.ts";
import { keptSettings, type KeptSettings } from "./kept-settings.ts";

/** The parts of the connection's settings on which an action depends. */
export type OperationSettings = Pick<KeptSettings, "baseUrl" | "headers" | "idempotencyKeyTtlMs">;

/** Operations as the actions of a connection, by name. */
export async function operationActions(
  operations: readonly ImportedOperation[],
  kept: OperationSettings,
): Promise<ReadonlyMap<string, Action>> {
  return new Map(await inSlices(operations, (one) => [one.name, operationAction(one, kept)] as const));
}

/**
 * An operation as an action of a connection. Everything but the name is read on demand, because few of a thousand
 * operations are called.
 *
 * @param kept the connection's settings; without `baseUrl` while a change of it is not confirmed
 */
export function operationAction(operation: ImportedOperation, kept: OperationSettings): Action {
  const { baseUrl, headers, idempotencyKeyTtlMs } = kept;
  const { name } = operation;
  let compiled: SchemaResult | undefined;
  let revision: string | undefined;

  const check = (args: JsonObject): readonly ErrorDetail[] => {
    // Cached, because compiling a schema takes longer than a call.
    compiled ??= compileSchema(operation.input, { unsupportedPatterns: "ignore" });
    return compiled.ok ? compiled.validator.validate(args) : compiled.problems;
  };

  return {
    name,
    get description() {
      return operation.description;
    },
    get effect() {
      return operation.effect;
    },
    get input() {
      return operation.input;
    },
    get output() {
      return operation.output;
    },
    get deprecated() {
      return operation.deprecated;
    },
    get operation() {
      const { operationId, method, path } = operation;
      return { operationId, method: method.toUpperCase(), path, ...(baseUrl !== undefined && { baseUrl }) };
    },
    timeoutMs: undefined,
    idempotencyKeyTtlMs,
    get revision() {
      revision ??= revisionOf(operation, kept);
      return revision;
    },
    check,
    async call(args: JsonObject, context: CallContext): Promise<CallAnswer> {
      if (baseUrl === undefined) {
        const message = "The connection's document now names another server. Confirm the base URL of the connection.";
        throw new ActionError(message, { outcome: "not_sent", retryable: false });
      }
      const [problem] = check(args);
      if (problem !== undefined) {
        const message = `The arguments no longer match "${name}": ${problem.path || "/"} ${problem.message}`;
        throw new ActionError(message, { outcome: "not_sent", retryable: false });
      }
      // Credentials and their place are always the current ones, also for a call that was approved earlier. Other
      // headers are those of the approval, because they may determine whose money is moved.
      const { authentication, idempotencyHeader } = keptSettings(context.settings);
      const { secrets, redactor, idempotencyKey } = context;
      const connection = { baseUrl, authentication, idempotencyHeader, headers, secrets, redactor };
      return callOperation({ operation, effect: operation.effect, args, connection, idempotencyKey }, context.fetch);
    },
  };
}

/**
 * A 16-character digest of the request that an action sends and its destination. It depends neither on the response nor
 * on the document's order.
 */
function revisionOf(operation: ImportedOperation, { baseUrl, headers }: OperationSettings): string {
  const { name, method, path, effect, input, body } = operation;
  const inputs = operation.inputs.toSorted((a, b) => (a.input < b.input ? -1 : 1));
  const shape = [name, method, path, effect, input, inputs, body ?? null, baseUrl ?? null];
  if (headers !== undefined) shape.push({ headers });
  return createHash("sha256").update(JSON.stringify(shape, inOrder)).digest("base64url").slice(0, 16);
}

/** A JSON replacer that sorts members by name and lists that are sets. */
function inOrder(name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (!Array.isArray(value)) return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  const isSet = name === "required" && value.every((item) => typeof item === "string");
  return isSet ? value.toSorted() : value;
}
