import type { Exchange } from "./integration.ts";

const brand = Symbol.for("procedo.action_answer");

/** Facts about the answer to a call, in addition to its output. */
export interface ActionAnswerOptions {
  /** The request and its answer, stored in the step's record without the connection's secrets. */
  readonly exchange?: Exchange;
  /**
   * The reason why the output cannot be used although the work is done, as the end of a sentence: `is not valid JSON`.
   * The step fails, and only a person can repeat the call. @defaultValue the output can be used
   */
  readonly unusable?: string;
}

/**
 * The answer of an action that reports more than its output. The output is the service's own, and is not checked against
 * the schema of the action: an answer that deviates from it is still the result of a call that was made.
 *
 * @example
 * const body = await response.json();
 * return new ActionAnswer(body, { exchange: { request, response: { status: response.status, headers: {} } } });
 */
export class ActionAnswer {
  /** Any JSON value. */
  readonly output: unknown;
  /** The request and its answer, as given in the options. */
  readonly exchange: Exchange | undefined;
  /** Why the output cannot be used, as given in the options. */
  readonly unusable: string | undefined;
  readonly [brand] = true;

  constructor(output: unknown, { exchange, unusable }: ActionAnswerOptions = {}) {
    this.output = output;
    this.exchange = exchange;
    this.unusable = unusable;
  }

  /** Whether a value is an answer, also of another installed copy of this package. */
  static isAnswer(value: unknown): value is ActionAnswer {
    return typeof value === "object" && value !== null && brand in value;
  }
}
