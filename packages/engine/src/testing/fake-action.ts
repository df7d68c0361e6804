import { checkOptionNames, kindOf, ProcedoError, type OptionNames } from "@procedo/contract";
import type * as z from "zod";
import { effectProblem, isActionEffect } from "../integrations/check-integration.ts";
import type { ActionEffect } from "../integrations/integration.ts";
import type { FakeReply } from "./fake-reply.ts";

/** A faked action: its definition and its replies, one per attempt. The last reply is repeated. */
export class FakeAction {
  /** The definition of the action. */
  readonly definition: FakeActionDefinition;
  /** The replies, one per attempt. The last reply is repeated. */
  readonly replies: readonly FakeReply[];
  constructor(definition: FakeActionDefinition, replies: readonly FakeReply[]) {
    this.definition = definition;
    this.replies = replies;
  }
}

/** An action whose calls are answered by a test. */
export interface FakeActionDefinition<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> {
  /** The external effect of a call. It decides how a call with an unknown outcome is handled. */
  readonly effect: ActionEffect;
  /** Schema of the arguments: a zod object. @defaultValue any arguments */
  readonly input?: Input;
  /** Schema of the output. @defaultValue any JSON value */
  readonly output?: Output;
  /** Description for the agent. @defaultValue the action's name */
  readonly description?: string;
  /** Time limit of one attempt, in milliseconds, 1 to 3600000. @defaultValue 60000 */
  readonly timeoutMs?: number;
  /**
   * Whether a person approves each call, as a function of a private connection can require. The connection is then a
   * private one, and all its fakes are functions. @defaultValue false
   */
  readonly requiresReview?: boolean;
}

const names = {
  effect: true,
  input: true,
  output: true,
  description: true,
  timeoutMs: true,
  requiresReview: true,
} satisfies OptionNames<FakeActionDefinition>;

/**
 * Fakes an action with schemas: documents are checked against them at publication, and calls before they are made. The
 * handlers' arguments have the schemas' types.
 *
 * @throws ProcedoError `invalid_configuration` for an unknown effect or option
 * @example
 * const pay = fakeAction(
 *   { effect: "once", input: z.object({ to: z.string(), amount: z.int() }), output: z.object({ id: z.string() }) },
 *   ({ amount }) => ({ id: `pay_${amount}` }),
 * );
 */
export function fakeAction<Input extends z.ZodObject, Output extends z.ZodType>(
  definition: FakeActionDefinition<Input, Output>,
  ...replies: readonly [
    FakeReply<z.output<Input>, z.input<Output>>,
    ...(readonly FakeReply<z.output<Input>, z.input<Output>>[]),
  ]
): FakeAction {
  checkOptionNames("fakeAction", names, definition, "invalid_configuration");
  const { effect, requiresReview = false } = definition;
  if (!isActionEffect(effect)) throw invalid(`A faked action ${effectProblem(effect)}`);
  if (typeof requiresReview !== "boolean") {
    throw invalid(`A faked action has a requiresReview that is ${kindOf(requiresReview)}. Write true or false.`);
  }
  return new FakeAction(definition, replies);
}

/** A faked action without external effects. */
export function reads<Args extends object = Record<string, unknown>>(...replies: Replies<Args>): FakeAction {
  return new FakeAction({ effect: "read" }, replies);
}

/** A faked action that may be repeated with the same idempotency key. */
export function idempotent<Args extends object = Record<string, unknown>>(...replies: Replies<Args>): FakeAction {
  return new FakeAction({ effect: "idempotent" }, replies);
}

/** A faked action that must not be repeated. */
export function once<Args extends object = Record<string, unknown>>(...replies: Replies<Args>): FakeAction {
  return new FakeAction({ effect: "once" }, replies);
}

type Replies<Args extends object> = readonly [FakeReply<Args>, ...(readonly FakeReply<Args>[])];

function invalid(message: string): ProcedoError {
  return new ProcedoError("invalid_configuration", message);
}
