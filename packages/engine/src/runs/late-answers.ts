import type { Intent } from "@procedo/procedure";
import { toStorable, type Post } from "@procedo/storage";
import { callKey } from "../journal/effect-keys.ts";
import { errorText } from "../ports/log.ts";
import { outcomeKey } from "../journal/effect-keys.ts";
import type { ExecutionPorts } from "./execution-ports.ts";
import type { LateAnswer, NotificationBody } from "../inbox/notification.ts";
import { runIdOf, type ActiveRun } from "./active-run.ts";
import { retryUntilStored } from "./retry-storage.ts";

type Ports = Pick<ExecutionPorts, "clock" | "log"> & { readonly storage: Pick<ExecutionPorts["storage"], "inbox"> };

/** The attempt and the call that an answer belongs to. */
type Attempted = Pick<Intent, "key" | "attempt">;

/** Leaves the answers that this owner received and could not commit to the run's next owner. */
export async function leaveAnswers(ports: Ports, stopped: AbortSignal, run: ActiveRun): Promise<void> {
  for (const entry of run.pendingRow.entries) {
    // A late answer is in the inbox still: the row that would have consumed it is not durable.
    if (entry.type !== "outcome" || entry.late === true || entry.result.status === "unknown") continue;
    const key = callKey(runIdOf(run), entry.nodeId, entry.visit, entry.call);
    await postLateAnswer(ports, stopped, run, { key, attempt: entry.attempt }, entry);
  }
}

/**
 * Tells the run's owner, whoever it is by now, the outcome of a call that it may take for lost. Tried until storage
 * answers or `stopped` aborts. Where storage refuses the answer itself, the owner is told what it comes to, so that a call that
 * was made is not made again without a person.
 */
export async function postLateAnswer(
  ports: Ports,
  stopped: AbortSignal,
  run: ActiveRun,
  attempted: Attempted,
  { result, retryAtMs, deferred, exchange }: LateAnswer,
): Promise<void> {
  const runId = runIdOf(run);
  const repeated = { ...(retryAtMs !== undefined && { retryAtMs }), ...(deferred !== undefined && { deferred }) };
  const whole: NotificationBody = {
    type: "late_answer",
    result,
    ...repeated,
    ...(exchange !== undefined && { exchange }),
  };
  const post = (body: NotificationBody): Promise<unknown> =>
    retryUntilStored(ports, stopped, () => ports.storage.inbox.post([postOf(run, attempted, body)]));
  try {
    const posted = await post(whole).catch((refusal: unknown) => {
      ports.log.error("Storage refused the answer of a call; its arrival is recorded without it.", {
        runId,
        callKey: attempted.key,
        error: errorText(refusal),
      });
      return post(arrivalOf({ result, ...repeated }, refusal));
    });
    if (posted !== undefined) return;
    ports.log.warn("A late answer could not be stored before the worker stopped.", { runId, callKey: attempted.key });
  } catch (error) {
    ports.log.error("A late answer could not be stored.", { runId, callKey: attempted.key, error: errorText(error) });
  }
}

function postOf(run: ActiveRun, attempted: Attempted, body: NotificationBody): Post {
  const { scope, runId } = run.writer.head;
  return {
    scope,
    runId,
    effectKey: outcomeKey(attempted),
    body: JSON.stringify(body),
    closeReview: "settled",
  };
}

/**
 * What can be stored of an answer that cannot: that the call was made, and why its answer is missing. Of an error, that the call
 * surely was not made, and whether it is to be repeated.
 */
function arrivalOf({ result, ...repeated }: LateAnswer, refusal: unknown): NotificationBody {
  const why = toStorable(errorText(refusal));
  if (result.status === "error") {
    const message = `The call was answered with an error, which storage refused: ${why}`;
    return { type: "late_answer", result: { status: "error", error: { message } }, ...repeated };
  }
  const message = `The call was made and answered, but storage refused its answer: ${why}`;
  return { type: "failed", failure: { effect: "unknown", message } };
}
