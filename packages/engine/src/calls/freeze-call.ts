import { maxRequestBytes, type JsonObject, type JsonValue } from "@procedo/contract";
import {
  withoutRefusedNulls,
  type CompiledToolCall,
  type FrozenCall,
  type RunLimits,
  type RunState,
  type Violation,
  type WithoutNulls,
} from "@procedo/procedure";
import type { Action } from "../integrations/integration.ts";
import { valueAt } from "../journal/value-at-pointer.ts";
import { exceeds } from "../json/json-copy.ts";
import { errorText } from "../ports/log.ts";
import { callDigest } from "../reviews/digests.ts";
import { callAccount, otherAccount } from "./call-account.ts";
import type { FoundAction } from "./find-action.ts";
import { renderObject, scopeOf, type Rendered } from "./render.ts";

export type Frozen =
  | { readonly ok: true; readonly call: FrozenCall; readonly action: Action }
  | {
      readonly ok: false;
      readonly message: string;
      readonly details?: JsonValue;
      readonly code?: "limit" | "action_unavailable";
      /** Violations of the action's schema by the arguments. */
      readonly violations?: readonly Violation[];
    };

/** The arguments that the document sets, rendered in the current state. */
export function fixedArguments(limits: RunLimits, state: RunState, node: CompiledToolCall): Rendered<JsonObject> {
  return renderObject(node.arguments, scopeOf(state), limits, argumentsOf(node));
}

/**
 * Renders a tool call and checks it against the current action. A null for an optional argument whose schema does not
 * accept null counts as omitted, at every depth.
 *
 * @param proposed - arguments of an agent; none of them replaces an argument that the document sets
 */
export function freezeCall(
  limits: RunLimits,
  state: RunState,
  node: CompiledToolCall,
  found: FoundAction,
  proposed?: JsonObject,
): Frozen {
  if (!found.ok) return found;
  const { action } = found;
  const fixed = fixedArguments(limits, state, node);
  const given = !fixed.ok || proposed === undefined ? fixed : together(limits, node, proposed, fixed.value);
  if (!given.ok) return given;
  const dispatched = action.dispatch !== undefined;
  if (dispatched) {
    const problem = exceeds(given.value, { depth: limits.depth, bytes: maxRequestBytes });
    if (problem !== undefined)
      return {
        ok: false,
        message: `The arguments of "${node.id}" cannot be sent to a client: their content ${problem}.`,
      };
  }
  let checked: CheckedArguments;
  try {
    checked = checkArguments(action, given.value);
  } catch (error) {
    return { ok: false, message: `The arguments of "${node.id}" could not be checked. ${errorText(error)}` };
  }
  const { args, violations } = checked;
  if (violations.length > 0) {
    const list = violations.map(({ path, message }) => `${path || "/"} ${message}`).join("; ");
    const details = violations.map(({ path, message }) => ({ path, message }));
    return {
      ok: false,
      message: `The arguments of "${node.id}" do not fit "${node.action}": ${list}`,
      details,
      violations,
    };
  }
  const { connection } = node;
  const { connectionId } = found.connection;
  const account = callAccount(found.connection);
  const { revision, effect, idempotencyKeyTtlMs: ttlMs, onUnknownOutcome } = action;
  const key = effect === "read" || ttlMs === undefined ? {} : { idempotencyKeyTtlMs: ttlMs };
  const named = {
    connection,
    connectionId,
    ...(account !== undefined && { account }),
    action: node.action,
    revision,
    effect,
    ...key,
    ...(onUnknownOutcome && { onUnknownOutcome }),
  };
  return {
    ok: true,
    action,
    call: dispatched ? { ...named, dispatched, args } : { ...named, args },
  };
}

interface CheckedArguments {
  readonly args: JsonObject;
  readonly violations: readonly Violation[];
}

/**
 * Arguments that fit are sent unchanged, nulls included. From others, the nulls that their schema refuses are omitted.
 */
function checkArguments(action: Action, given: JsonObject): CheckedArguments {
  const violations = action.check(given);
  if (violations.length === 0) return { args: given, violations };
  const without = withoutRefusedNulls(given, action.input);
  const args = without.value;
  const left = args === given ? violations : action.check(args);
  return { args, violations: left.map((violation) => ofNull(violation, without)) };
}

/** A violation of a null says whether its member can be left out. */
function ofNull(violation: Violation, { value, required }: WithoutNulls): Violation {
  const { path, message } = violation;
  if (!path.startsWith("/") || valueAt(value, path) !== null) return violation;
  const advice = required.includes(path)
    ? "It is required, and null is no value for it."
    : "Leave it out instead of giving null.";
  return { path, message: `${message.replace(/\.?$/, ".")} ${advice}` };
}

function together(
  limits: RunLimits,
  node: CompiledToolCall,
  proposed: JsonObject,
  fixed: JsonObject,
): Rendered<JsonObject> {
  const value = { ...proposed, ...fixed };
  const problem = exceeds(value, { depth: limits.depth, bytes: limits.stepBytes });
  return problem === undefined
    ? { ok: true, value }
    : { ok: false, message: `${argumentsOf(node)} ${problem}.`, code: "limit" };
}

function argumentsOf({ id }: CompiledToolCall): string {
  return `The arguments of "${id}"`;
}

/**
 * A call that a person approved is sent exactly as it was shown, or not at all. The run's data is not rendered again.
 */
export function approvedCall(call: FrozenCall, digest: string, found: FoundAction): Frozen {
  if (callDigest(call) !== digest) {
    const message =
      "The approved call differs from the call that the reviewer saw. Nothing was sent. Examine the journal.";
    return { ok: false, message };
  }
  if (!found.ok) return found;
  if (found.connection.connectionId !== call.connectionId) {
    const message = `Connection "${call.connection}" was replaced since the call was approved. Nothing was sent; ask again.`;
    return { ok: false, message, code: "action_unavailable" };
  }
  const other = otherAccount(call, found.connection, true);
  if (other !== undefined) return { ok: false, message: `${other} Ask again.`, code: "action_unavailable" };
  if (found.action.revision !== call.revision) {
    const message = `Action "${call.action}" has changed since the call was approved. Nothing was sent; ask again.`;
    return { ok: false, message, code: "action_unavailable" };
  }
  return { ok: true, action: found.action, call };
}
