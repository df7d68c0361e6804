import { setImmediate } from "node:timers/promises";
import type { JsonObject } from "@procedo/contract";
import { EgressError, ProcedoError, type TestAnswer, type TestContext } from "@procedo/engine";
import { operationRequest, type CallingConnection } from "../calls/operation-request.ts";
import { send } from "../calls/call-operation.ts";
import { isList } from "../calls/plain-value.ts";
import type { ImportedOperation } from "../openapi/imported-api.ts";
import { anyAnswer } from "../openapi/operations/accept.ts";

/**
 * Makes one harmless request: the read operation without required input that has the shortest path, otherwise the base
 * URL itself.
 */
export async function testConnection(
  operations: readonly ImportedOperation[],
  connection: CallingConnection,
  { fetch, signal }: TestContext,
): Promise<TestAnswer> {
  const chosen = await harmless(operations);
  const operation = chosen ?? root;
  try {
    const request = operationRequest({ operation, effect: "read", args: {}, connection, idempotencyKey: "" });
    const { status } = await send(request, (input, init) => fetch(input, { ...init, signal }));
    if (status === 401 || status === 403)
      return failed(`The credentials were rejected: the address answered ${status}.`);
    // The content at the base URL is unknown. The test only checks that a server answers.
    if (status < 400 || (chosen === undefined && status < 500)) return { ok: true };
    return failed(`GET ${operation.path} answers ${status}.`);
  } catch (error) {
    if (error instanceof EgressError || ProcedoError.isError(error)) return failed(error.message);
    throw error;
  }
}

/** Number of operations between yields to the event loop, because each one is parsed here. */
const operationsAtOnce = 250;

async function harmless(operations: readonly ImportedOperation[]): Promise<ImportedOperation | undefined> {
  let chosen: ImportedOperation | undefined;
  for (const [index, operation] of operations.entries()) {
    if (index % operationsAtOnce === operationsAtOnce - 1) await setImmediate();
    const { method, effect, deprecated, path } = operation;
    if (method !== "get" || effect !== "read" || deprecated) continue;
    if (chosen !== undefined && path.length >= chosen.path.length) continue;
    if (!needsInput(operation)) chosen = operation;
  }
  return chosen;
}

function needsInput({ inputs, input }: ImportedOperation): boolean {
  return inputs.some(({ required }) => required) || (isList(input["required"]) && input["required"].length > 0);
}

const noInput: JsonObject = { type: "object", additionalProperties: false };

const root: ImportedOperation = {
  name: "",
  operationId: undefined,
  method: "get",
  path: "/",
  pointer: "",
  description: "",
  deprecated: false,
  effect: "read",
  input: noInput,
  output: undefined,
  accept: anyAnswer,
  answersJson: false,
  inputs: [],
  body: undefined,
};

function failed(error: string): TestAnswer {
  return { ok: false, error };
}
