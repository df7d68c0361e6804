import { checkOptionNames, ProcedoError, quotedValue, type JsonValue, type OptionNames } from "@procedo/contract";
import type { Exchange } from "./integration.ts";

/** What an action knows of the effect when it gives up. */
export type ActionFailure =
  /** The other side answered that it did not do the work. */
  | "refused"
  /**
   * The other side answered that it did not do the work, because the same key or object is in use: a first attempt is refused;
   * a repetition is told that an earlier attempt is in progress, and is tried again.
   */
  | "conflict"
  /** The request surely never left. */
  | "not_sent"
  /** The work may have been done. */
  | "unknown";

/** What an {@link ActionError} says of the call beside its message. */
export interface ActionErrorOptions {
  /** @defaultValue "refused" */
  readonly outcome?: ActionFailure;
  /** A refusal that may pass by itself (rate limit, overload): the same call is made again by the retry rules. */
  readonly retryable?: boolean;
  /** How long the other side asked to wait. */
  readonly retryAfterMs?: number;
  /**
   * What the other side said; kept in the step's record. Of an object, `status` (a number), `reason` (a text) and `body` are
   * what `nodes.<id>.error.status` and its like read in a procedure.
   */
  readonly details?: JsonValue;
  /** What went over the wire; kept in the step's record, without the connection's secrets. */
  readonly exchange?: Exchange;
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
 * How an action says that it failed, and what became of the effect. Thrown plainly it means that the other side
 * refused: the step fails at once, by its `error` branch.
 *
 * Anything else that an action throws counts as an unknown outcome: an action with effect `read` or `idempotent` is
 * called again, one with effect `once` waits for a person.
 *
 * @example
 * if (response.status === 422) {
 *   const body = await response.json();
 *   throw new ActionError("The ledger refused the payment.", { details: { status: 422, reason: body.message, body } });
 * }
 */
export class ActionError extends ProcedoError {
  readonly outcome: ActionFailure;
  readonly mayRetry: boolean;
  readonly failureDetails: JsonValue | undefined;
  readonly exchange: Exchange | undefined;

  /**
   * @throws ProcedoError `invalid_configuration` for an option that is wrong or not known: thrown out of the action, it makes
   *   the call's outcome unknown, where a misspelt `outcome` would have made it a refusal
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
