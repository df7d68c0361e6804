import type { JsonObject } from "@procedo/contract";
import type { ImportedApi, ImportedOperation, ImportProblem } from "./imported-api.ts";

/** The contents of a document, for people and programs that inspect it before saving. */
export interface ApiDescription {
  /** Title of the API. */
  readonly title: string;
  /** Version of the API. */
  readonly version: string;
  /** `null` when the document names no usable server. */
  readonly baseUrl: string | null;
  /** The actions that a connection would have. */
  readonly actions: readonly ActionDescription[];
  /** The parts of the document that are invalid or left out. */
  readonly problems: readonly ProblemDescription[];
}

/** An action as data for display: its name, operation, parameters and effect. */
export interface ActionDescription {
  /** Name by which tool calls refer to the action. */
  readonly name: string;
  /** `null`: the operation has none. */
  readonly operationId: string | null;
  /** Lower case. */
  readonly method: string;
  /** The template, `/payments/{id}`. */
  readonly path: string;
  /** Whether the document advises against its use. */
  readonly deprecated: boolean;
  /** The effect of a repeated call: `read`, `idempotent` or `once`. */
  readonly effect: ImportedOperation["effect"];
  /** JSON Schema (2020-12) of the arguments. */
  readonly input: JsonObject;
  /** The arguments and their places in the request. */
  readonly parameters: readonly ParameterDescription[];
  /** Omitted when no body is sent. */
  readonly body?: {
    /** Whether each request needs a body. */
    readonly required: boolean;
    /** Media type of the body. */
    readonly mediaType: string;
  };
}

/** A parameter of an action as data for display. */
export interface ParameterDescription {
  /** Name of the argument. */
  readonly input: string;
  /** The place of the argument in the request. */
  readonly in: "path" | "query" | "header" | "cookie" | "body";
  /** Name in the request; `body` for an argument that is the whole body. */
  readonly name: string;
  /** Whether each call needs the argument. */
  readonly required: boolean;
}

/** An import problem as data for display. */
export interface ProblemDescription {
  /** JSON pointer (RFC 6901). */
  readonly pointer: string;
  /** The fault and its correction. */
  readonly message: string;
  /** `error`: the part cannot be used. `warning`: it was imported with a difference. */
  readonly severity: "error" | "warning";
  /** From 1, if known. */
  readonly line?: number;
}

/** The actions of a document as plain JSON, printed by `procedo actions --json`. */
export function describeApi(api: ImportedApi, problems: readonly ImportProblem[] = api.problems): ApiDescription {
  return {
    title: api.title,
    version: api.version,
    baseUrl: api.baseUrl ?? null,
    actions: api.operations.map(describeAction),
    problems: describeProblems(problems),
  };
}

/** The problems as plain JSON, also for a refused document. */
export function describeProblems(problems: readonly ImportProblem[]): readonly ProblemDescription[] {
  return problems.map(({ pointer, message, severity, line }) => ({
    pointer,
    message,
    severity,
    ...(line !== undefined && { line }),
  }));
}

function describeAction(operation: ImportedOperation): ActionDescription {
  const { name, operationId, method, path, deprecated, effect, input, body } = operation;
  return {
    name,
    operationId: operationId ?? null,
    method,
    path,
    deprecated,
    effect,
    input,
    parameters: operation.inputs.map((each) => ({
      input: each.input,
      in: each.in,
      name: each.in === "body" && each.name === "" ? "body" : each.name,
      required: each.required,
    })),
    ...(body !== undefined && { body: { required: body.required, mediaType: body.mediaType } }),
  };
}
