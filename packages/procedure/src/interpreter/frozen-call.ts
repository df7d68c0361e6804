import type { JsonObject } from "@procedo/contract";

/** A call exactly as it will be sent: rendered and checked, with no decision left. */
export interface FrozenCall {
  /** Name of the connection. */
  readonly connection: string;
  /** Id of the connection. Another connection that later has the same name does not receive the call. */
  readonly connectionId: string;
  /**
   * The account at the service that a person authorized for the connection. The call is sent for no other one. Absent: no
   * person authorizes the connection.
   */
  readonly account?: FrozenAccount;
  /** Name of the action. */
  readonly action: string;
  /** Identifies the definition of the action when the call was frozen. */
  readonly revision: string;
  /** The effect of a repeated call. */
  readonly effect: "read" | "idempotent" | "once";
  /** How long the other service keeps the call's idempotency key, in milliseconds. Absent: one day. */
  readonly idempotencyKeyTtlMs?: number;
  /**
   * Made again where its outcome is unknown, unless the node says otherwise: a second message does little harm. Absent: a
   * person decides about a call with the effect `once`.
   */
  readonly onUnknownOutcome?: "retry";
  /**
   * The call is dispatched to a client that polls. The owner of the run does not make it, so that it cannot be lost
   * with the owner.
   */
  readonly dispatched?: true;
  /** The arguments, exactly as they will be sent. */
  readonly args: JsonObject;
}

/** The account of a call. */
export interface FrozenAccount {
  /** Since when it is this account, in milliseconds since the epoch; 0 while none was authorized. */
  readonly sinceMs: number;
  /** The service's id of it. Absent: it is not known. */
  readonly id?: string;
  /** Name for people. Absent: it is not known. */
  readonly name?: string;
}
