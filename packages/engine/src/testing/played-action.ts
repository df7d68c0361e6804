import type { ErrorDetail, JsonObject } from "@procedo/contract";
import { createSchemaCompiler } from "@procedo/procedure";
import type { ActionMetadata } from "../connections/action-metadata.ts";
import { copyJson } from "../json/json-copy.ts";
import type { Action, ActionOperation, CallAnswer, CallContext } from "../integrations/integration.ts";
import type { Clock } from "../ports/clock.ts";
import { play, type FakeReply } from "./fake-reply.ts";
import { TestingError } from "./testing-error.ts";
import type { WorkUnderWay } from "./work-under-way.ts";

export interface PlayPorts {
  readonly clock: Clock;
  readonly work: WorkUnderWay;
}

/** How an attempt of a call goes. @throws TestingError when nobody knows */
export type ReplyTo = (args: JsonObject, context: CallContext) => PlayedReply;

export interface PlayedReply {
  readonly reply: FakeReply;
  /** Where the output does not fit the action's schema. @defaultValue nowhere */
  readonly violations?: readonly ErrorDetail[];
}

/** An action that plays replies, in the time of whoever it is given to. */
export class PlayedAction implements Action {
  readonly name: string;
  readonly description: string;
  readonly effect: Action["effect"];
  readonly input: JsonObject;
  readonly output: JsonObject | undefined;
  readonly revision: string;
  readonly deprecated: boolean;
  readonly operation: ActionOperation | undefined;
  readonly timeoutMs: number | undefined;
  readonly #facts: ActionMetadata;
  readonly #replyTo: ReplyTo;
  readonly #ports: PlayPorts;

  constructor(facts: ActionMetadata, replyTo: ReplyTo, ports: PlayPorts) {
    this.name = facts.name;
    this.description = facts.description;
    this.effect = facts.effect;
    this.input = facts.input;
    this.output = facts.output;
    this.revision = facts.revision;
    this.deprecated = facts.deprecated;
    this.operation = facts.operation;
    this.timeoutMs = facts.timeoutMs;
    this.#facts = facts;
    this.#replyTo = replyTo;
    this.#ports = ports;
  }

  check(args: JsonObject): readonly ErrorDetail[] {
    return this.#facts.check(args);
  }

  /** The same in a test's time. */
  in(ports: PlayPorts): PlayedAction {
    return new PlayedAction(this.#facts, this.#replyTo, ports);
  }

  async call(args: JsonObject, context: CallContext): Promise<CallAnswer> {
    const { work } = this.#ports;
    const { reply, violations = [] } = await work.during(() => this.#replyTo(args, context));
    return { output: await play(this.#ports, reply, args, context), violations };
  }
}

/** One reply for each attempt, in their order; the last one holds for all that follow. */
export function repliesInTurn(ports: PlayPorts, replies: readonly FakeReply[]) {
  let attempts = 0;
  return (args: object, context: CallContext): Promise<unknown> => {
    const reply = replies[Math.min(attempts, replies.length - 1)] ?? null;
    attempts += 1;
    return play(ports, reply, args, context);
  };
}

/** An action of which only the calls are faked. */
export function fakedAction(
  ports: PlayPorts,
  connection: string,
  action: Action,
  replies: readonly FakeReply[],
): Action {
  const reply = repliesInTurn(ports, replies);
  const violations = outputCheck(action);
  return strictAction(ports, connection, {
    ...factsOf(action),
    call: async (args, context) => {
      const output = await reply(args, context);
      return { output, violations: violations(output) };
    },
  });
}

/** A fake may not answer what its action never would: that is a mistake of the test, and not the procedure's business. */
export function strictAction({ work }: PlayPorts, connection: string, action: Action): Action {
  return {
    ...factsOf(action),
    call: async (args, context) => {
      const answer = await action.call(args, context);
      const [first, ...others] = answer.violations;
      if (first === undefined) return answer;
      const what = `${first.path || "/"} ${first.message}${others.length === 0 ? "" : ` (and ${others.length} more)`}`;
      const message = `The fake of "${connection}.${action.name}" answered what does not fit its output schema: ${what}.`;
      return await work.during(() => Promise.reject(new TestingError(message)));
    },
  };
}

/** A real action: a test's time waits for it. */
export function watchedAction({ work }: PlayPorts, action: Action): Action {
  return { ...factsOf(action), call: (args, context) => work.duringReal(() => action.call(args, context)) };
}

/** A real action that could not be called without the settings that a connection of it has. */
export function unconnectedAction({ work }: PlayPorts, connection: string, action: Action): Action {
  const message =
    `"${connection}.${action.name}" is called, and it is neither faked nor is there a connection for it. ` +
    `Give actions.${connection}.${action.name}, or connections.${connection}.`;
  return { ...factsOf(action), call: () => work.during(() => Promise.reject(new TestingError(message))) };
}

export function factsOf(action: Action): ActionMetadata {
  const { name, description, effect, input, output, revision, deprecated, operation, timeoutMs } = action;
  const facts = { name, description, effect, input, output, revision, deprecated, operation, timeoutMs };
  return { ...facts, check: (args) => action.check(args) };
}

const outputLimits = { depth: 64, bytes: 64 * 1024 * 1024 };

/** Violations of an action's output schema, where it has one that can be checked. */
function outputCheck({ output: schema }: Action): (output: unknown) => readonly ErrorDetail[] {
  const compiled = schema === undefined ? undefined : createSchemaCompiler()(schema);
  if (compiled?.ok !== true) return () => [];
  const { validator } = compiled;
  return (output) => {
    const copy = copyJson(output, outputLimits);
    return copy.ok ? validator.validate(copy.value) : [{ path: "", message: copy.message }];
  };
}
