import type { JsonValue } from "@procedo/contract";
import { parseDuration } from "@procedo/procedure";
import { ActionError, type ActionErrorOptions } from "../integrations/action-error.ts";
import type { CallContext } from "../integrations/integration.ts";
import { EgressError } from "../egress/egress-error.ts";
import { sleep, type Clock } from "../ports/clock.ts";
import { TestingError } from "./testing-error.ts";
import type { WorkUnderWay } from "./work-under-way.ts";

/**
 * The reply of a faked action to one attempt of a call: a value, the result of a function of the arguments (which may
 * be another reply), or one of the outcomes below. An `ActionError` thrown by the function fails the action; any other
 * exception, such as a failed assertion, fails the test.
 */
export type FakeReply<Args extends object = object, Output = unknown> =
  JsonValue | FakeHandler<Args, Output> | FakeOutcome;

/** A method's type, so that a handler may declare the arguments that it expects. */
export type FakeHandler<Args extends object = object, Output = unknown> = {
  handle(args: Args, context: CallContext): Output | FakeOutcome | PromiseLike<Output | FakeOutcome>;
}["handle"];

type Way =
  | { readonly kind: "fails"; readonly error: () => Error }
  | { readonly kind: "hangs" }
  | { readonly kind: "answers_late"; readonly delayMs: number; readonly reply: FakeReply };

/** An outcome of a call other than a value. */
export class FakeOutcome {
  /** The outcome of the call. */
  readonly way: Way;
  constructor(way: Way) {
    this.way = way;
  }
}

/** The external system refuses the call: the step fails at once, unless `retryable` is set. */
export function refuses(message: string, options: Omit<ActionErrorOptions, "outcome"> = {}): FakeOutcome {
  return new FakeOutcome({ kind: "fails", error: () => new ActionError(message, { ...options, outcome: "refused" }) });
}

/** The request was certainly not sent: it is retried by the node's retry rules. */
export function isNotSent(message = "The connection was refused."): FakeOutcome {
  return new FakeOutcome({ kind: "fails", error: () => new ActionError(message, { outcome: "not_sent" }) });
}

/** The request may have had its effect, and its response is lost. */
export function losesAnswer(message = "The connection was lost before the answer."): FakeOutcome {
  return new FakeOutcome({ kind: "fails", error: () => new ActionError(message, { outcome: "unknown" }) });
}

/** No response arrives before the call times out. */
export function timesOut(): FakeOutcome {
  return new FakeOutcome({ kind: "hangs" });
}

/**
 * Replies after a duration, even when the run no longer waits for the reply.
 *
 * @param duration ISO 8601, such as `PT90S`
 */
export function answersAfter(duration: string, reply: FakeReply): FakeOutcome {
  return new FakeOutcome({ kind: "answers_late", delayMs: durationMs(duration), reply });
}

/** @throws TestingError for a text that is not an ISO 8601 duration */
export function durationMs(duration: string): number {
  const parsed = parseDuration(duration);
  if (parsed.ok) return parsed.ms;
  throw new TestingError(parsed.message);
}

/** Executes a call as its reply says. */
export async function play(
  ports: { readonly clock: Clock; readonly work: WorkUnderWay },
  reply: FakeReply,
  args: object,
  context: CallContext,
): Promise<unknown> {
  if (reply instanceof FakeOutcome) return await go(ports, reply.way, args, context);
  if (typeof reply !== "function") return reply;
  const result = await ports.work.during(async () => {
    try {
      return await reply(args, context);
    } catch (error) {
      if (!(error instanceof ActionError || error instanceof EgressError)) ports.work.fail(error);
      throw error;
    }
  });
  return result instanceof FakeOutcome ? await go(ports, result.way, args, context) : result;
}

async function go(
  ports: { readonly clock: Clock; readonly work: WorkUnderWay },
  way: Way,
  args: object,
  context: CallContext,
): Promise<unknown> {
  switch (way.kind) {
    case "fails":
      throw way.error();
    case "hangs":
      return await new Promise((_resolve, reject) => {
        const end = (): void => reject(new ActionError(reasonOf(context.signal), { outcome: "unknown" }));
        if (context.signal.aborted) end();
        else context.signal.addEventListener("abort", end, { once: true });
      });
    case "answers_late":
      await sleep(ports.clock, way.delayMs);
      return await play(ports, way.reply, args, context);
  }
}

function reasonOf({ reason }: AbortSignal): string {
  return reason instanceof Error ? reason.message : "The call was aborted.";
}
