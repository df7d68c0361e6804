import type { RunState } from "@procedo/procedure";
import {
  decidedBody,
  type DecideResult,
  type InvocationSettlement,
  type NewDecision,
  type NewResult,
  type Notification,
  type RunCommit,
  type Storage,
} from "@procedo/storage";
import { refuseRevoked, type Principal } from "../access/principal.ts";
import { outcomeKey } from "../journal/effect-keys.ts";

/**
 * The decision or result for which a parked run waits. Storage accepts the trigger together with the row that follows
 * from it, provided that the run is still parked and has no other notification.
 */
export interface ResumeTrigger<Answer = unknown> {
  /** The trigger as a notification in the run's inbox. */
  readonly notification: Notification;
  /** Stores the trigger, together with the row if storage accepts both. Resolves to whether the row is durable. */
  store(next: RunCommit): Promise<boolean>;
  /** The answer of storage; `undefined` until there is one. */
  answer(): Answer | undefined;
  /** Whether storage has this trigger rather than another one in its place. Called when storage gave no answer. */
  isStored(next: RunCommit): Promise<boolean>;
}

/**
 * `undefined` if the run is not at a review. The decision is stored only while the decider's key is valid, because the
 * key may have been revoked while the next row was prepared.
 */
export function decisionTrigger(
  { reviews }: Pick<Storage, "reviews">,
  { cursor }: RunState,
  decision: NewDecision,
  by: Principal,
): ResumeTrigger<DecideResult> | undefined {
  if (cursor.at !== "review") return undefined;
  return resumeTrigger({
    notification: { effectKey: cursor.review.effectKey, body: decidedBody([decision.body]) },
    send: async (next) => {
      refuseRevoked(by);
      return await reviews.decide({ ...decision, next });
    },
    isStored: async () => (await reviews.get(decision))?.decisions.includes(decision.body) === true,
  });
}

/** `undefined` if the run waits for no invocation. */
export function resultTrigger(
  { invocations, runs }: Pick<Storage, "invocations" | "runs">,
  { cursor, facts }: RunState,
  result: NewResult,
): ResumeTrigger<InvocationSettlement> | undefined {
  if (cursor.at !== "calling") return undefined;
  const { scope } = result;
  const { runId } = facts;
  return resumeTrigger({
    notification: { effectKey: outcomeKey(cursor.intent), body: result.body },
    send: (next) => invocations.settle({ ...result, next }),
    // Another result may have been accepted under the same lease; the hash of the row tells them apart.
    isStored: async ({ seq, hash }) =>
      (await runs.journal({ scope, runId, afterSeq: seq - 1, maxBytes: 0 })).some(
        (row) => row.seq === seq && row.hash === hash,
      ),
  });
}

function resumeTrigger<Answer extends DecideResult | InvocationSettlement>({
  send,
  ...trigger
}: Pick<ResumeTrigger, "notification" | "isStored"> & {
  readonly send: (next: RunCommit) => Promise<Answer>;
}): ResumeTrigger<Answer> {
  let answer: Answer | undefined;
  return {
    ...trigger,
    answer: () => answer,
    store: async (next) => {
      answer = await send(next);
      return "continued" in answer && answer.continued === true;
    },
  };
}
