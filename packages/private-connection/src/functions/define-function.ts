import {
  checkOptionNames,
  functionDeclarationSchema,
  type OptionNames,
  ProcedoError,
  quotedValue,
  requestProblems,
} from "@procedo/contract";
import type { HandlerContext } from "../invocations/handler-context.ts";
import { declareInput } from "./declare-input.ts";
import { type InputOf, type InputSchema, isInputSchema, type ParsedInput } from "./input-schema.ts";
import { brandFunction, type PrivateFunction } from "./private-function.ts";

/** The name, input and behaviour of a function. */
export interface FunctionOptions<Name extends string, Schema extends InputSchema, Output> {
  /** Starts with a letter or digit, and consists of letters, digits, `.`, `_` and `-`; up to 128 characters. */
  readonly name: Name;
  /** Describes the function to the agent and to people; 1 to 10000 characters. */
  readonly description: string;
  /** An object schema of zod 4 or zod 3. The service receives the descriptions and defaults of its fields. */
  readonly input: Schema;
  /**
   * Runs in this network when a procedure calls the function. The result is sent as JSON. An error fails the call with
   * its message.
   */
  readonly handler: (input: ParsedInput<Schema>, context: HandlerContext) => Output | Promise<Output>;
  /**
   * Whether a person must approve each call before it is sent.
   *
   * @defaultValue false
   */
  readonly requiresReview?: boolean;
  /**
   * Whether the function may be called again with the same input and idempotency key after a call with an unknown
   * outcome. A function that is not idempotent is called at most once; a person decides about a lost call.
   *
   * @defaultValue false
   */
  readonly idempotent?: boolean;
  /**
   * How long an `idempotent` function recognises a call by its idempotency key, in milliseconds; 1000 to 315360000000
   * (ten years). A call with an unknown outcome is repeated without a person only while its key is younger.
   *
   * @defaultValue 86 400 000, a day
   */
  readonly idempotencyKeyTtlMs?: number;
  /**
   * The time limit of the handler, in milliseconds; 1 to 86400000. After the limit, its signal is aborted and the call
   * fails.
   *
   * @defaultValue 300 000
   */
  readonly timeoutMs?: number;
}

const optionNames = {
  name: true,
  description: true,
  input: true,
  handler: true,
  requiresReview: true,
  idempotent: true,
  idempotencyKeyTtlMs: true,
  timeoutMs: true,
} satisfies OptionNames<FunctionOptions<string, InputSchema, unknown>>;

const maxTimeoutMs = 86_400_000;
const defaultTimeoutMs = 300_000;

/**
 * Defines a function that procedures call through a private connection.
 *
 * @throws ProcedoError `invalid_configuration`
 * @example
 * const screenName = defineFunction({
 *   name: "screen_name",
 *   description: "Compares a name with the sanctions list.",
 *   input: z.object({ name: z.string().describe("As on the invoice") }),
 *   idempotent: true,
 *   handler: async ({ name }, { signal }) => ({ matches: await search(name, signal) }),
 * });
 */
export function defineFunction<const Name extends string, Schema extends InputSchema, Output>(
  options: FunctionOptions<Name, Schema, Output>,
): PrivateFunction<Name, InputOf<Schema>, Output> {
  const subject = typeof options?.name === "string" ? `Function "${options.name}"` : "defineFunction";
  checkOptionNames(subject, optionNames, options, "invalid_configuration");
  const { name, input, handler, timeoutMs = defaultTimeoutMs } = options;
  if (!isInputSchema(input)) throw refused(name, "input is not a zod schema; write z.object({ … })");
  if (typeof handler !== "function") throw refused(name, "handler is not a function");
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > maxTimeoutMs) {
    throw refused(name, `timeoutMs is ${quotedValue(timeoutMs)}; give a whole number from 1 to ${maxTimeoutMs}`);
  }
  const declared = functionDeclarationSchema.safeParse({
    name,
    description: options.description,
    input: declareInput(name, input),
    requiresReview: options.requiresReview,
    idempotent: options.idempotent,
    ...(options.idempotencyKeyTtlMs !== undefined && { idempotencyKeyTtlMs: options.idempotencyKeyTtlMs }),
  });
  if (!declared.success) {
    const problems = requestProblems(declared.error).map(({ path, message }) => `${path.slice(1)} ${message}`);
    throw refused(name, problems.join("; "));
  }
  return brandFunction({
    name,
    declaration: declared.data,
    schema: input,
    timeoutMs,
    // The schema validates the input before every call, so the handler receives its output.
    handler: handler as PrivateFunction["handler"],
  });
}

const refused = (name: unknown, problem: string): ProcedoError =>
  new ProcedoError("invalid_configuration", `Function ${quotedValue(name)} cannot be defined: ${problem}.`);
