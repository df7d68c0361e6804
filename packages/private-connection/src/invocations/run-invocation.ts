import type { Environment } from "@procedo/contract";
import type { FunctionTable } from "../functions/function-table.ts";
import type { PrivateFunction } from "../functions/private-function.ts";
import type { Log } from "../log.ts";
import type { Runtime } from "../runtime.ts";
import { checkInput } from "./check-input.ts";
import { encodeOutput } from "./encode-output.ts";
import { type CalledInvocation, handlerContext } from "./handler-context.ts";
import { runGuarded } from "./handler-rejections.ts";
import { thrownStack, thrownText } from "./thrown-text.ts";

/** The outcome of an invocation: the result as JSON text (`undefined` if nothing was returned), or an error message. */
export type Outcome =
  { readonly status: "ok"; readonly output: string | undefined } | { readonly status: "error"; readonly error: string };

export interface InvocationRunner {
  readonly functions: FunctionTable;
  /** The environment of the token. Calls of the other environment are rejected. */
  readonly environment: Environment;
  readonly runtime: Runtime;
  readonly log: Log;
  readonly sendStackTraces: boolean;
}

/**
 * Calls the function of an invocation, both in production and in {@link testConnection}. Never rejects.
 *
 * @param abort - aborted by the caller when the result is no longer needed, and by this function at the time limit
 */
export async function runInvocation(
  runner: InvocationRunner,
  invocation: CalledInvocation,
  abort: AbortController,
): Promise<Outcome> {
  const definition = runner.functions.get(invocation.function);
  if (definition === undefined) return failed(unknownFunction(invocation.function));
  if (invocation.context.environment !== runner.environment) {
    return failed(`This client serves ${runner.environment}, not ${invocation.context.environment}.`);
  }
  const checked = await checkInput(definition.schema, invocation.input);
  if (!checked.ok) return failed(checked.message);
  return await callHandler(runner, definition, invocation, checked.input, abort);
}

function callHandler(
  { runtime, log, sendStackTraces }: InvocationRunner,
  definition: PrivateFunction,
  invocation: CalledInvocation,
  input: unknown,
  abort: AbortController,
): Promise<Outcome> {
  const fields = { invocation: invocation.id, function: definition.name };
  return new Promise((resolve) => {
    const cancel = runtime.after(definition.timeoutMs, () => {
      const message = `The function did not finish within ${definition.timeoutMs} ms; it may still have taken effect.`;
      resolve(failed(message));
      abort.abort(new Error(message));
    });
    const context = handlerContext(invocation, abort.signal);
    runGuarded({ log, fields }, async () => definition.handler(input, context)).then(
      (output) => {
        cancel();
        const encoded = encodeOutput(output);
        resolve(encoded.ok ? { status: "ok", output: encoded.text } : failed(encoded.message));
      },
      (thrown: unknown) => {
        cancel();
        // Logged after a timeout, too, so that the log shows how the handler ended.
        if (!abort.signal.aborted) log.warn("A function failed.", { ...fields, error: thrownStack(thrown) });
        resolve(failed(sendStackTraces ? thrownStack(thrown) : thrownText(thrown)));
      },
    );
  });
}

function unknownFunction(name: string): string {
  return `Function ${JSON.stringify(name.slice(0, 128))} is not found: this client does not serve it.`;
}

const failed = (error: string): Outcome => ({ status: "error", error });
