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

/** The attempt of a call to which an answer belongs. */
type Attempted = Pick<Intent, "key" | "attempt">;

/** Posts the answers that this owner received but could not commit, for the run's next owner. */
export async function leaveAnswers(ports: Ports, stopped: AbortSignal, run: ActiveRun): Promise<void> {
  for (const entry of run.pendingRow.entries) {
    // A late answer is still in the inbox: the row that would have consumed it is not durable.
    if (entry.type !== "outcome" || entry.late === true || entry.result.status === "unknown") continue;
    const key = callKey(runIdOf(run), entry.nodeId, entry.visit, entry.call);
    await postLateAnswer(ports, stopped, run, { key, attempt: entry.attempt }, entry);
  }
}

/**
 * Posts the outcome of a call to the run's current owner, which may consider the call lost. Repeated until storage
 * answers or `stopped` aborts. If storage refuses the answer itself, a summary is posted instead, so that a call that
 * was made is not repeated without a person's decision.
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
 * The summary of an answer that storage refused. For a result: the call was made, and why its answer is missing. For an
 * error: the call certainly had no effect, and whether it is repeated.
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
