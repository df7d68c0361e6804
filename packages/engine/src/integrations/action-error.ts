import { checkOptionNames, ProcedoError, quotedValue, type JsonValue, type OptionNames } from "@procedo/contract";
import type { Exchange } from "./integration.ts";

/** The effect of a failed call, as far as the action knows it. */
export type ActionFailure =
  /** The service answered that it did not do the work. */
  | "refused"
  /**
   * The service answered that it did not do the work, because the same key or object is in use. For the first attempt
   * this is a refusal. For a repetition it means that an earlier attempt is in progress, so the call is tried again.
   */
  | "conflict"
  /** The request was certainly not sent. */
  | "not_sent"
  /** The work may have been done. */
  | "unknown";

/** Facts about the failed call, in addition to the message of an {@link ActionError}. */
export interface ActionErrorOptions {
  /** The effect of the failed call. @defaultValue "refused" */
  readonly outcome?: ActionFailure;
  /**
   * The refusal may be temporary (rate limit, overload), so the retry rules apply.
   *
   * @defaultValue true for "not_sent" only
   */
  readonly retryable?: boolean;
  /** Delay that the service asked for, in milliseconds. */
  readonly retryAfterMs?: number;
  /**
   * Details of the service's answer, stored in the step's record. A procedure can read the members `status` (a number),
   * `reason` (a text) and `body` of an object, as in `nodes.<id>.error.status`.
   */
  readonly details?: JsonValue;
  /** The request and its answer, stored in the step's record without the connection's secrets. */
  readonly exchange?: Exchange;
  /** The error that this one follows from, for the log. @defaultValue none */
  readonly cause?: unknown;
}

const optionNames = {
  outcome: true,
  retryable: true,
  retryAfterMs: true,
  details: true,
  exchange: true,
  cause: true,
} satisfies OptionNames<ActionErrorOptions>;

const outcomes: readonly unknown[] = ["refused", "conflict", "not_sent", "unknown"] satisfies ActionFailure[];

/**
 * The failure of an action, with its effect. Without options it means that the service refused the call: the step fails
 * without a retry and takes its `error` branch.
 *
 * Any other error of an action counts as an unknown outcome: an action with effect `read` or `idempotent` is called
 * again, one with effect `once` waits for a person.
 *
 * @example
 * if (response.status === 422) {
 *   const body = await response.json();
 *   throw new ActionError("The ledger refused the payment.", { details: { status: 422, reason: body.message, body } });
 * }
 */
export class ActionError extends ProcedoError {
  /** The effect of the failed call. */
  readonly outcome: ActionFailure;
  /** Whether the retry rules apply. */
  readonly mayRetry: boolean;
  /** Details of the service's answer, as given in the options. */
  readonly failureDetails: JsonValue | undefined;
  /** The request and its answer, as given in the options. */
  readonly exchange: Exchange | undefined;

  /**
   * @throws ProcedoError `invalid_configuration` for an invalid or unknown option. Thrown in an action, it makes the
   *   outcome of the call unknown; a misspelt `outcome` that is ignored would make it a refusal
   */
  constructor(message: string, options: ActionErrorOptions = {}) {
    checkActionErrorOptions(message, options);
    super("action_failed", message, {
      ...(options.retryAfterMs === undefined ? {} : { retryAfterMs: options.retryAfterMs }),
      cause: options.cause,
    });
    this.outcome = options.outcome ?? "refused";
    this.mayRetry = options.retryable ?? this.outcome === "not_sent";
    this.failureDetails = options.details;
    this.exchange = options.exchange;
  }
}

function checkActionErrorOptions(message: string, options: ActionErrorOptions): void {
  const subject = `The ActionError ${quotedValue(message)}`;
  checkOptionNames(subject, optionNames, options, "invalid_configuration");
  const { outcome, retryable } = options;
  if (outcome !== undefined && !outcomes.includes(outcome)) {
    refuse(`${subject} has the outcome ${quotedValue(outcome)}. Write "refused", "conflict", "not_sent" or "unknown".`);
  }
  if (retryable !== undefined && typeof retryable !== "boolean") {
    refuse(`${subject} has a retryable that is ${typeof retryable}. Write true or false.`);
  }
}

function refuse(message: string): never {
  throw new ProcedoError("invalid_configuration", message);
}
