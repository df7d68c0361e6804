import { ActionError, defineIntegration, z } from "@procedo/engine";
import type { ActionContext, ActionErrorOptions, Clock, Integration } from "@procedo/engine";
import type { JsonObject } from "@procedo/contract";

/** One call that reached the bank. */
export interface BankCall {
  readonly action: string;
  readonly args: JsonObject;
  readonly context: ActionContext;
  readonly atMs: number;
}

/** The bank's behaviour in a call: answers, throws, or answers later. */
export type Behaviour = (call: BankCall) => unknown;

/** An outside service that records its calls and behaves as planned, one planned behaviour per call. */
export interface ScriptedBank {
  readonly integration: Integration;
  readonly calls: readonly BankCall[];
  callsOf(action: string): readonly BankCall[];
  /**
   * The behaviours of the action's next calls, in order; unplanned calls are answered with `{ id: "<action>-<n>" }`.
   */
  plan(action: BankAction, ...behaviours: readonly Behaviour[]): void;
}

/** Named after their effect; `pay` is a `once` action that checks its arguments and its output. */
export type BankAction = "read" | "idempotent" | "once" | "pay";

export interface BankOptions {
  /** The description of the action `pay`: another text is another revision. */
  readonly payInput?: z.ZodObject;
  readonly timeoutMs?: number;
  /** The declared lifetime of the keys of `idempotent` calls. */
  readonly idempotencyKeyTtlMs?: number;
  /** What the action `once` says of a call of unknown outcome. */
  readonly onUnknownOutcome?: "retry";
}

export function scriptedBank(clock: Pick<Clock, "now">, options: BankOptions = {}): ScriptedBank {
  const calls: BankCall[] = [];
  const plans = new Map<string, Behaviour[]>();

  const run = async (action: BankAction, args: JsonObject, context: ActionContext): Promise<unknown> => {
    const call = { action, args, context, atMs: clock.now() };
    calls.push(call);
    const number = calls.filter((earlier) => earlier.action === action).length;
    const behave = plans.get(action)?.shift() ?? (() => ({ id: `${action}-${number}` }));
    return await behave(call);
  };

  const anything = z.looseObject({});
  const timeout = options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs };
  const keptFor = options.idempotencyKeyTtlMs === undefined ? {} : { idempotencyKeyTtlMs: options.idempotencyKeyTtlMs };
  const onUnknown = options.onUnknownOutcome === undefined ? {} : { onUnknownOutcome: options.onUnknownOutcome };
  const payInput = options.payInput ?? z.object({ to: z.string(), amount: z.int() });

  return {
    calls,
    callsOf: (action) => calls.filter((call) => call.action === action),
    plan: (action, ...behaviours) => {
      plans.set(action, [...(plans.get(action) ?? []), ...behaviours]);
    },
    integration: defineIntegration({
      name: "bank",
      actions: ({ defineAction }) => {
        const free = (name: "read" | "idempotent" | "once") =>
          defineAction({
            description: `An action of effect ${name}.`,
            input: anything,
            effect: name,
            ...timeout,
            ...(name === "idempotent" && keptFor),
            ...(name === "once" && onUnknown),
            run: (args, context) => run(name, args as JsonObject, context as ActionContext),
          });
        return {
          read: free("read"),
          idempotent: free("idempotent"),
          once: free("once"),
          pay: defineAction({
            description: "Pays.",
            input: payInput,
            output: z.object({ id: z.string() }),
            effect: "once",
            ...timeout,
            run: (args, context) => run("pay", args as JsonObject, context as ActionContext) as Promise<{ id: string }>,
          }),
        };
      },
    }),
  };
}

export function answers(output: unknown): Behaviour {
  return () => output;
}

/** Fails with a reported outcome, like an action that knows the effect. */
export function fails(message: string, options?: ActionErrorOptions): Behaviour {
  return () => {
    throw new ActionError(message, options);
  };
}

/** Throws an error that says nothing about the effect. */
export function breaks(message = "socket hang up"): Behaviour {
  return () => {
    throw new Error(message);
  };
}

/** Does not answer until the call is aborted, and then fails like a closed connection. */
export function hangs(): Behaviour {
  return ({ context: { signal } }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("The connection was cut.")), { once: true });
    });
}

/** Answers after this delay, even if the call was aborted. */
export function answersAfter(clock: Pick<Clock, "after">, delayMs: number, output: unknown): Behaviour {
  return () => new Promise((resolve) => void clock.after(delayMs, () => resolve(output)));
}

/** Answers when the test says so. */
export function held(): { readonly behaviour: Behaviour; answer(output: unknown): void; fail(error: Error): void } {
  let settle: { resolve(output: unknown): void; reject(error: Error): void } | undefined;
  const promise = new Promise<unknown>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return {
    behaviour: () => promise,
    answer: (output) => settle?.resolve(output),
    fail: (error) => settle?.reject(error),
  };
}
