import { checkOptionNames, kindOf, ProcedoError, type OptionNames } from "@procedo/contract";
import type * as z from "zod";
import { effectProblem, isActionEffect } from "../integrations/check-integration.ts";
import type { ActionEffect } from "../integrations/integration.ts";
import type { FakeReply } from "./fake-reply.ts";

/** A faked action: what it is, and how its calls go, one reply for each attempt; the last one holds for all that follow. */
export class FakeAction {
  readonly definition: FakeActionDefinition;
  readonly replies: readonly FakeReply[];
  constructor(definition: FakeActionDefinition, replies: readonly FakeReply[]) {
    this.definition = definition;
    this.replies = replies;
  }
}

/** An action that a test answers itself. */
export interface FakeActionDefinition<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> {
  /** What a call may do outside, which decides what happens when its outcome is not known. */
  readonly effect: ActionEffect;
  /** @defaultValue any arguments */
  readonly input?: Input;
  /** @defaultValue anything that JSON can carry */
  readonly output?: Output;
  /** Told to the agent. @defaultValue the action's name */
  readonly description?: string;
  /** How long one attempt may take, in milliseconds, 1 to 3600000. @defaultValue 60000 */
  readonly timeoutMs?: number;
  /**
   * Whether a person approves each call, as a private connection's function may ask for: the connection is then such a one,
   * and all its fakes are its functions. @defaultValue false
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
 * Fakes an action with schemas: documents are checked against them when they are published, calls before they are made,
 * and the handlers' arguments have their types.
 *
 * @throws ProcedoError `invalid_configuration` for an effect or option that is not known
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

/** A faked action that changes nothing outside. */
export function reads<Args extends object = Record<string, unknown>>(...replies: Replies<Args>): FakeAction {
  return new FakeAction({ effect: "read" }, replies);
}

/** A faked action that may be called again with the same idempotency key. */
export function idempotent<Args extends object = Record<string, unknown>>(...replies: Replies<Args>): FakeAction {
  return new FakeAction({ effect: "idempotent" }, replies);
}

/** A faked action that must not happen twice. */
export function once<Args extends object = Record<string, unknown>>(...replies: Replies<Args>): FakeAction {
  return new FakeAction({ effect: "once" }, replies);
}

type Replies<Args extends object> = readonly [FakeReply<Args>, ...(readonly FakeReply<Args>[])];

function invalid(message: string): ProcedoError {
  return new ProcedoError("invalid_configuration", message);
}
