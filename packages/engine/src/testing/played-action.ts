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

/** The reply to an attempt of a call. @throws TestingError when there is none */
export type ReplyTo = (args: JsonObject, context: CallContext) => PlayedReply;

export interface PlayedReply {
  readonly reply: FakeReply;
  /** Violations of the action's output schema. @defaultValue none */
  readonly violations?: readonly ErrorDetail[];
}

/** An action with given replies, on the clock of its ports. */
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

  /** The same action on a test's clock. */
  in(ports: PlayPorts): PlayedAction {
    return new PlayedAction(this.#facts, this.#replyTo, ports);
  }

  async call(args: JsonObject, context: CallContext): Promise<CallAnswer> {
    const { work } = this.#ports;
    const { reply, violations = [] } = await work.during(() => this.#replyTo(args, context));
    return { output: await play(this.#ports, reply, args, context), violations };
  }
}

/** One reply per attempt, in order. The last reply is repeated. */
export function repliesInTurn(ports: PlayPorts, replies: readonly FakeReply[]) {
  let attempts = 0;
  return (args: object, context: CallContext): Promise<unknown> => {
    const reply = replies[Math.min(attempts, replies.length - 1)] ?? null;
    attempts += 1;
    return play(ports, reply, args, context);
  };
}

/** An action with faked calls and the metadata of a real action. */
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

/**
 * Fails the test when a fake's output violates the action's schema: this is a mistake in the test, not in the
 * procedure.
 */
export function strictAction({ work }: PlayPorts, connection: string, action: Action): Action {
  return {
    ...factsOf(action),
    call: async (args, context) => {
      const answer = await action.call(args, context);
      const [first, ...others] = answer.violations;
      if (first === undefined) return answer;
      const what = `${first.path || "/"} ${first.message}${others.length === 0 ? "" : ` (and ${others.length} more)`}`;
      const message = `The fake of "${connection}.${action.name}" returned an output that does not match its schema: ${what}.`;
      return await work.during(() => Promise.reject(new TestingError(message)));
    },
  };
}

/** A real action. A test's clock waits for its calls. */
export function watchedAction({ work }: PlayPorts, action: Action): Action {
  return { ...factsOf(action), call: (args, context) => work.duringReal(() => action.call(args, context)) };
}

/** A real action that cannot be called, because its connection has no settings. */
export function unconnectedAction({ work }: PlayPorts, connection: string, action: Action): Action {
  const message =
    `"${connection}.${action.name}" was called, but it is not faked and has no connection. ` +
    `Give actions.${connection}.${action.name}, or connections.${connection}.`;
  return { ...factsOf(action), call: () => work.during(() => Promise.reject(new TestingError(message))) };
}

export function factsOf(action: Action): ActionMetadata {
  const { name, description, effect, input, output, revision, deprecated, operation, timeoutMs } = action;
  const facts = { name, description, effect, input, output, revision, deprecated, operation, timeoutMs };
  return { ...facts, check: (args) => action.check(args) };
}

const outputLimits = { depth: 64, bytes: 64 * 1024 * 1024 };

/** Checks outputs against the action's output schema, if it has one that compiles. */
function outputCheck({ output: schema }: Action): (output: unknown) => readonly ErrorDetail[] {
  const compiled = schema === undefined ? undefined : createSchemaCompiler()(schema);
  if (compiled?.ok !== true) return () => [];
  const { validator } = compiled;
  return (output) => {
    const copy = copyJson(output, outputLimits);
    return copy.ok ? validator.validate(copy.value) : [{ path: "", message: copy.message }];
  };
}
