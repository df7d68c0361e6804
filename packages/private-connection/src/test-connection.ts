import type { Environment, InvocationContext } from "@procedo/contract";
import { ProcedoError } from "@procedo/contract";
import { createFunctionTable } from "./functions/function-table.ts";
import type { PrivateFunction } from "./functions/private-function.ts";
import { encodeOutput } from "./invocations/encode-output.ts";
import { runInvocation } from "./invocations/run-invocation.ts";
import { maxErrorLength, shortened } from "./service/hide-token.ts";
import type { Log } from "./log.ts";
import { systemRuntime } from "./runtime.ts";

/** The type of a value after it was sent as JSON. */
export type Sent<Value> = Value extends { toJSON(): infer Text }
  ? Sent<Text>
  : Value extends string | number | boolean | null | undefined
    ? Value
    : Value extends void
      ? undefined
      : Value extends object
        ? { [Name in keyof Value]: Sent<Value[Name]> }
        : unknown;

/** The parts of a call that a test can set. */
export interface TestCall extends Partial<Omit<InvocationContext, "environment">> {
  /** Identifier of the call. @defaultValue a new one for each call */
  readonly id?: string;
  /** Idempotency key of the call. @defaultValue a new one for each call */
  readonly idempotencyKey?: string;
  /** Aborts the handler's signal, as the service does when no run waits for the result. */
  readonly signal?: AbortSignal;
}

type FunctionNamed<Functions extends readonly PrivateFunction[], Name> = Extract<
  Functions[number],
  { readonly name: Name }
>;
type CallTypes<Function extends PrivateFunction> = NonNullable<Function["callTypes"]>;

/** Functions that can be called in this process, without a network or a token. */
export interface TestConnection<Functions extends readonly PrivateFunction[]> {
  /** The environment that handlers see in their context. */
  readonly environment: Environment;
  /**
   * Calls a function as in production: the input and the result are sent as JSON, the input is validated, and the
   * handler receives a complete context.
   *
   * @throws ProcedoError `action_failed` with the message that the procedure would see
   */
  call<Name extends Functions[number]["name"]>(
    name: Name,
    input: CallTypes<FunctionNamed<Functions, Name>>["input"],
    context?: TestCall,
  ): Promise<Sent<CallTypes<FunctionNamed<Functions, Name>>["output"]>>;
}

/**
 * Calls functions in process, for tests in any test runner.
 *
 * @throws ProcedoError `invalid_configuration`
 * @example
 * const connection = testConnection({ functions: [screenName], environment: "sandbox" });
 * const { matches } = await connection.call("screen_name", { name: "Ivan" });
 */
export function testConnection<const Functions extends readonly PrivateFunction[]>(options: {
  readonly functions: Functions;
  /** `@defaultValue "sandbox"` */
  readonly environment?: Environment;
  /** Receives the stack of a failing handler. `@defaultValue` none */
  readonly log?: Log;
}): TestConnection<Functions> {
  const { environment = "sandbox", log = silentLog } = options;
  const functions = createFunctionTable(options.functions);
  const runner = { functions, environment, log, runtime: systemRuntime, sendStackTraces: false };
  return {
    environment,
    call: async (name, input, context = {}) => {
      const { id = `test_${systemRuntime.newId()}`, idempotencyKey = id, signal } = context;
      const { runId = null, procedureId = null, procedureVersion = null } = context;
      const abort = new AbortController();
      if (signal?.aborted === true) abort.abort(signal.reason);
      signal?.addEventListener("abort", () => abort.abort(signal.reason), { once: true });
      const outcome = await runInvocation(
        runner,
        {
          ...{ id, idempotencyKey, function: name, input: sentInput(input) },
          context: { environment, runId, procedureId, procedureVersion },
        },
        abort,
      );
      if (outcome.status === "error") {
        throw new ProcedoError("action_failed", shortened(outcome.error, maxErrorLength));
      }
      // The declared output type is that of the value after JSON.
      return (outcome.output === undefined ? undefined : JSON.parse(outcome.output)) as never;
    },
  };
}

const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };

function sentInput(input: unknown): never {
  const encoded = encodeOutput(input, "The input");
  if (encoded.ok && encoded.text !== undefined) return JSON.parse(encoded.text) as never;
  const reason = encoded.ok ? "The input must be an object." : encoded.message;
  throw new ProcedoError("action_failed", reason);
}
