import type { InvocationRunner } from "../invocations/run-invocation.ts";
import type { HideToken } from "../service/hide-token.ts";
import type { Failure, Service } from "../service/service.ts";
import type { EventHub } from "./connection-state.ts";
import type { HeldInvocations } from "./held-invocations.ts";
import type { SendResult } from "./send-results.ts";

/** The state that the loops of one connection share. */
export interface ConnectionCore extends InvocationRunner {
  readonly service: Service;
  readonly sendResult: SendResult;
  readonly held: HeldInvocations;
  readonly events: EventHub;
  /** Aborted when no new calls are accepted: by `close()`, and when the connection ends. */
  readonly closing: AbortSignal;
  /** Aborted when the connection ends. */
  readonly ended: AbortSignal;
  /** Aborted and replaced when the service is reached again, so that pending retries run immediately. */
  readonly reached: () => AbortSignal;
  /** Called when the service rejected the token. */
  readonly onUnauthorized: (failure: { readonly error: Failure["error"] }) => void;
  readonly hide: HideToken;
}
