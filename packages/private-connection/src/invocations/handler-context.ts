import type { Invocation, InvocationContext } from "@procedo/contract";

/** What a handler learns of its call. */
export interface HandlerContext extends InvocationContext {
  /** Of this call; another call has another. */
  readonly id: string;
  /** The same whenever this call is made again. Hand it on to systems that recognise repeated requests. */
  readonly idempotencyKey: string;
  /** Aborted when the result is of no use any more: the call was given up or timed out, or the client closes. */
  readonly signal: AbortSignal;
}

export type CalledInvocation = Pick<Invocation, "id" | "function" | "input" | "idempotencyKey" | "context">;

export function handlerContext(invocation: CalledInvocation, signal: AbortSignal): HandlerContext {
  const { environment, runId, procedureId, procedureVersion } = invocation.context;
  const { id, idempotencyKey } = invocation;
  return Object.freeze({ id, environment, runId, procedureId, procedureVersion, idempotencyKey, signal });
}
