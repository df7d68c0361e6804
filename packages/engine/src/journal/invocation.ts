import { hash } from "node:crypto";
import type { Invocation } from "@procedo/contract";
import type { Intent, RunState } from "@procedo/procedure";
import type { LeasedInvocation, NewInvocation } from "@procedo/storage";
import { outcomeKey } from "./effect-keys.ts";

/** The part of a call that storage keeps for its dispatch. */
type Payload = Pick<Invocation, "input" | "idempotencyKey" | "context">;

/**
 * The invocation of a call whose intent is about to become durable. The same intent always gives the same invocation.
 */
export function invocationOf(facts: RunState["facts"], intent: Intent): NewInvocation {
  const { runId, environment, procedureId, procedureVersion } = facts;
  const { connectionId, action, effect, args } = intent.frozen;
  const effectKey = outcomeKey(intent);
  const context = { environment, runId, procedureId, procedureVersion };
  const payload: Payload = { input: args, idempotencyKey: intent.key, context };
  return {
    invocationId: invocationIdOf(runId, effectKey),
    connectionId,
    functionName: action,
    idempotent: effect === "idempotent",
    payload: JSON.stringify(payload),
    effectKey,
    deadlineMs: intent.sendByMs,
  };
}

/** An id that sorts by the time of its run, so that invocations of the same time are adjacent in an index. */
export function invocationIdOf(runId: string, effectKey: string): string {
  const time = runId.slice(runIdPrefix.length, runIdPrefix.length + timeChars);
  return `inv_${time}${hash("sha256", `${runId}\n${effectKey}`, "hex").slice(0, 32)}`;
}

const runIdPrefix = "run_";
const timeChars = 10;

/** A leased invocation, as its client receives it. */
export function clientInvocation({
  invocationId,
  functionName,
  leaseToken,
  payload,
}: Pick<LeasedInvocation, "invocationId" | "functionName" | "leaseToken" | "payload">): Invocation {
  const { input, idempotencyKey, context } = JSON.parse(payload) as Payload;
  return { id: invocationId, function: functionName, input, leaseToken, idempotencyKey, context };
}
