import type { JsonValue } from "@procedo/contract";
import type { CallResult, DecisionFact, RecordedExchange } from "@procedo/procedure";

/*
 * Messages to a run from anyone but its owner, as storage keeps them: their bodies and the effect keys that make each
 * unique. `runs/notification-entries.ts` turns them into entries.
 */

/** A notification's body, as JSON text. The body of a decided review is the array of its decisions instead. */
export type NotificationBody =
  | { readonly type: "cancel"; readonly by: string; readonly reason?: string }
  | { readonly type: "expired" }
  | ({ readonly type: "late_answer" } & LateAnswer)
  | ClientNotification;

/** The result of a call whose worker could no longer write to the run when it arrived. */
export interface LateAnswer {
  readonly result: CallResult;
  /** Set when the same call is to be made again, because it surely had no effect. In milliseconds since the epoch. */
  readonly retryAtMs?: number;
  /** The attempt does not count for the retry policy. */
  readonly deferred?: true;
  readonly exchange?: RecordedExchange;
}

/** A client's report of the outcome of a call, or the notice that the client went silent. */
export type ClientNotification =
  /** Without an output the function returned nothing. */
  | { readonly type: "returned"; readonly output?: JsonValue }
  | { readonly type: "failed"; readonly failure: ClientFailure }
  /** The client stopped reporting after it had started the function. */
  | { readonly type: "lapsed" };

/** A function's failure as its client reported it. */
export interface ClientFailure {
  /** `none`: the function surely changed nothing. */
  readonly effect: "none" | "unknown";
  /** The reported text, neither redacted nor shortened. */
  readonly message: string;
}

/** The effect key of every cancellation, so that a run is cancelled at most once. */
export const cancelKey = "cancel";

/** A person's decision as storage keeps it: the fact, and the key that makes repeating the request safe. */
export interface DecisionBody extends DecisionFact {
  readonly idempotencyKey: string;
}

/** The part of a stored decision that belongs in the journal. */
export function decisionFact({ idempotencyKey: _key, ...fact }: DecisionBody): DecisionFact {
  return fact;
}
