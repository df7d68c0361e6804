import type { Invocation, InvocationContext } from "@procedo/contract";

/** The facts about a call that its handler receives. */
export interface HandlerContext extends InvocationContext {
  /** The id of this call. */
  readonly id: string;
  /** The same for every repetition of this call. Pass it to systems that recognise repeated requests. */
  readonly idempotencyKey: string;
  /** Aborted when the result is no longer needed: the call was abandoned or timed out, or the client closes. */
  readonly signal: AbortSignal;
}

export type CalledInvocation = Pick<Invocation, "id" | "function" | "input" | "idempotencyKey" | "context">;

export function handlerContext(invocation: CalledInvocation, signal: AbortSignal): HandlerContext {
  const { environment, runId, procedureId, procedureVersion } = invocation.context;
  const { id, idempotencyKey } = invocation;
  return Object.freeze({ id, environment, runId, procedureId, procedureVersion, idempotencyKey, signal });
}
