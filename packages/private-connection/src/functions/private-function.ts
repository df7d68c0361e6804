import type { FunctionDeclaration } from "@procedo/contract";
import type { HandlerContext } from "../invocations/handler-context.ts";
import type { InputSchema } from "./input-schema.ts";

/**
 * A function that procedures call, as created by `defineFunction`.
 *
 * @typeParam Input - the input that callers send
 * @typeParam Output - the handler's result
 */
export interface PrivateFunction<Name extends string = string, Input = unknown, Output = unknown> {
  /** Name by which tool calls refer to the function. */
  readonly name: Name;
  /** The declaration for the service. */
  readonly declaration: FunctionDeclaration & {
    /** Whether a person has to approve each call. */
    readonly requiresReview: boolean;
    /** Whether calls with the same idempotency key have the effect of one call. */
    readonly idempotent: boolean;
  };
  /** The schema that validates the input. */
  readonly schema: InputSchema;
  /** Time limit of one call, in milliseconds. The handler's signal aborts after it. */
  readonly timeoutMs: number;
  /** Receives validated input. */
  readonly handler: (input: unknown, context: HandlerContext) => unknown;
  /** Exists only in types; never set. */
  readonly callTypes?: {
    /** Type of the input that callers send. */
    readonly input: Input;
    /** Type of the handler's result. */
    readonly output: Output;
  };
}

const brand = Symbol.for("procedo.private-function");

/** Marks functions from `defineFunction`, to distinguish them from other exports of a module, even across copies. */
export function brandFunction<Definition extends PrivateFunction>(definition: Definition): Definition {
  return Object.freeze(Object.defineProperty(definition, brand, { value: true }));
}

export function isPrivateFunction(value: unknown): value is PrivateFunction {
  return typeof value === "object" && value !== null && brand in value;
}
