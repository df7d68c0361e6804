import type { FunctionDeclaration } from "@procedo/contract";
import type { HandlerContext } from "../invocations/handler-context.ts";
import type { InputSchema } from "./input-schema.ts";

/**
 * A function that procedures call, as `defineFunction` makes it.
 *
 * @typeParam Input - what callers send
 * @typeParam Output - the handler's result
 */
export interface PrivateFunction<Name extends string = string, Input = unknown, Output = unknown> {
  readonly name: Name;
  /** The declaration for the service. */
  readonly declaration: FunctionDeclaration & { readonly requiresReview: boolean; readonly idempotent: boolean };
  readonly schema: InputSchema;
  readonly timeoutMs: number;
  /** The input has been checked. */
  readonly handler: (input: unknown, context: HandlerContext) => unknown;
  /** For the types only; never there. */
  readonly callTypes?: { readonly input: Input; readonly output: Output };
}

const brand = Symbol.for("procedo.private-function");

/** Marks what `defineFunction` made, so that a module's other exports are told apart, also across installed copies. */
export function brandFunction<Definition extends PrivateFunction>(definition: Definition): Definition {
  return Object.freeze(Object.defineProperty(definition, brand, { value: true }));
}

export function isPrivateFunction(value: unknown): value is PrivateFunction {
  return typeof value === "object" && value !== null && brand in value;
}
