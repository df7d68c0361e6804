import {
  outcomeOf,
  type DecideResult,
  type InvocationSettlement,
  type NewDecision,
  type NewResult,
  type Storage,
} from "@procedo/storage";
import { outcomeKey } from "../journal/effect-keys.ts";
import { runIdOf, type ActiveRun } from "./active-run.ts";
import type { ResumeTrigger } from "./resume-parked-run.ts";

/** Goes on with runs that came to rest here and are remembered; it may have been said to them elsewhere since. */
export interface ResumesParkedRuns {
  /** When its one decision is stored: answers what storage said, `undefined` when it was not asked. */
  resume(decision: NewDecision): Promise<DecideResult | undefined>;
  /** The same with the result of a call that the run has handed out. */
  resumeWith(result: NewResult): Promise<InvocationSettlement | undefined>;
}

/** The one decision that a run waits for; `undefined` when it waits for none. */
export function triggeredByDecision(
  { reviews }: Pick<Storage, "reviews">,
  { state }: ActiveRun,
  decision: NewDecision,
): ResumeTrigger<DecideResult> | undefined {
  if (state.cursor.at !== "review") return undefined;
  return {
    notification: { effectKey: state.cursor.review.effectKey, body: outcomeOf([decision.body]) },
    store: (next) => reviews.decide({ ...decision, next }),
    wentOn: (result) => result.status === "recorded" && result.wentOn === true,
    isStored: async () => (await reviews.get(decision))?.decisions.includes(decision.body) === true,
  };
}

/** The result of the call that a run has handed out and waits for. */
export function triggeredByResult(
  { invocations, runs }: Pick<Storage, "invocations" | "runs">,
  run: ActiveRun,
  result: NewResult,
): ResumeTrigger<InvocationSettlement> | undefined {
  const { cursor } = run.state;
  if (cursor.at !== "calling") return undefined;
  const { scope } = result;
  const runId = runIdOf(run);
  return {
    notification: { effectKey: outcomeKey(cursor.intent), body: result.body },
    store: (next) => invocations.settle({ ...result, next }),
    wentOn: (settled) => settled.status === "accepted" && settled.wentOn === true,
    // A result that says otherwise may have been accepted under the same lease; the row tells them apart.
    isStored: async ({ seq, hash }) =>
      (await runs.journal({ scope, runId, afterSeq: seq - 1, maxBytes: 0 })).some(
        (row) => row.seq === seq && row.hash === hash,
      ),
  };
}
