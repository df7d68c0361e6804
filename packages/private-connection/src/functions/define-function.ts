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
  /** Begins with a letter or digit and holds letters, digits, `.`, `_` and `-`; up to 128 characters. */
  readonly name: Name;
  /** Describes the function to the agent and to people; 1 to 10000 characters. */
  readonly description: string;
  /** An object schema of zod 4 or zod 3. Its fields' descriptions and defaults are told to the service. */
  readonly input: Schema;
  /**
   * Runs here, in this network, when a procedure calls the function. What it returns is sent as JSON; what it throws
   * fails the call with the error's message.
   */
  readonly handler: (input: ParsedInput<Schema>, context: HandlerContext) => Output | Promise<Output>;
  /**
   * Whether a person approves each call before it is sent.
   *
   * @defaultValue false
   */
  readonly requiresReview?: boolean;
  /**
   * Whether the function may be called again with the same input and idempotency key when nobody knows what became of
   * the first call. One that is not is called at most once; a person decides what a lost call did.
   *
   * @defaultValue false
   */
  readonly idempotent?: boolean;
  /**
   * Of an `idempotent` function: how long it recognises a call by its idempotency key, in milliseconds; 1000 to 315360000000
   * (ten years). A call of unknown outcome is made again without a person only while its key is younger.
   *
   * @defaultValue 86 400 000, a day
   */
  readonly idempotencyKeyTtlMs?: number;
  /**
   * How long the handler may take, in milliseconds; 1 to 86400000. Then its signal is aborted and the call fails.
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
  if (!isInputSchema(input)) throw refused(name, "input is no schema of zod; write z.object({ … })");
  if (typeof handler !== "function") throw refused(name, "handler is no function");
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
    // The schema's own check stands before every call, so that its output is what arrives here.
    handler: handler as PrivateFunction["handler"],
  });
}

const refused = (name: unknown, problem: string): ProcedoError =>
  new ProcedoError("invalid_configuration", `Function ${quotedValue(name)} cannot be defined: ${problem}.`);
