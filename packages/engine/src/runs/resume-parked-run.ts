import type { ActiveRun } from "./active-run.ts";
import type { RunHold } from "./execution.ts";
import type { ResumeTrigger } from "./resume-trigger.ts";

/**
 * Resumes a parked run from memory. The run is executed as if it had been claimed with the trigger as its only
 * notification. Storage accepts the next row only if the trigger is the only notification.
 *
 * @returns the answer of storage; `undefined` if storage was not asked
 * @throws ProcedoError `storage_unavailable`: the trigger may or may not be stored
 */
export async function resumeParkedRun<Answer>(
  execute: (run: ActiveRun) => RunHold,
  run: ActiveRun,
  trigger: ResumeTrigger<Answer>,
): Promise<Answer | undefined> {
  run.writer.toNextEpoch();
  run.resumeTrigger = trigger;
  run.inbox = [trigger.notification];
  run.inboxStale = false;
  const { durable, released } = execute(run);
  // An error before the trigger is stored occurs again when the run is claimed.
  const release = await Promise.race([durable, released.catch(() => undefined)]);
  if (release?.kind === "abandoned" && release.reason === "unanswered") throw asError(release.error);
  return trigger.answer();
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
