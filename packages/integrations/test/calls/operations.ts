import type { JsonObject } from "@procedo/contract";
import { createRedactor } from "@procedo/engine";
import { callOperation } from "../../src/calls/call-operation.ts";
import type { CallingConnection } from "../../src/calls/operation-request.ts";
import type {
  BodyInput,
  ImportedBody,
  ImportedOperation,
  ParameterEncoding,
  ParameterInput,
} from "../../src/openapi/imported-api.ts";

/** Handwritten operations, so that faults of the importer are not mistaken for faults of the call. */
export function operation(parts: Partial<ImportedOperation> = {}): ImportedOperation {
  return {
    name: "it",
    operationId: "it",
    method: "get",
    path: "/it",
    pointer: "/paths/~1it/get",
    description: "",
    deprecated: false,
    effect: "read",
    input: { type: "object" },
    output: undefined,
    accept: "application/json, */*;q=0.5",
    answersJson: false,
    inputs: [],
    body: undefined,
    ...parts,
  };
}

export function parameter(
  place: ParameterInput["in"],
  name: string,
  encoding: Partial<Extract<ParameterEncoding, { kind: "style" }>> = {},
): ParameterInput {
  const style = place === "query" || place === "cookie" ? "form" : "simple";
  const defaults = { kind: "style", style, explode: style === "form", allowReserved: false } as const;
  return { input: name, in: place, name, required: place === "path", encoding: { ...defaults, ...encoding } };
}

export function bodyInputs(...names: readonly string[]): readonly BodyInput[] {
  return names.map((name) => ({ input: name === "" ? "body" : name, in: "body", name, required: false }));
}

export function body(mediaType: string, parts: Partial<ImportedBody> = {}): ImportedBody {
  return { required: false, mediaType, shape: "members", open: false, parts: {}, ...parts };
}

export const withoutCredentials = {
  authentication: { method: "none" },
  idempotencyHeader: undefined,
  secrets: {},
  redactor: createRedactor([]),
} as const;

/** Calls an operation over plain `fetch`. */
export function call(
  one: ImportedOperation,
  args: JsonObject,
  connection: Pick<CallingConnection, "baseUrl"> & Partial<CallingConnection>,
  idempotencyKey = "key-1",
) {
  const { effect } = one;
  const redactor = createRedactor(Object.values(connection.secrets ?? {}));
  return callOperation(
    { operation: one, effect, args, connection: { ...withoutCredentials, redactor, ...connection }, idempotencyKey },
    fetch,
  );
}
