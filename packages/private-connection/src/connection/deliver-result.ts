import { maxResultBytes } from "@procedo/contract";
import type { Outcome } from "../invocations/run-invocation.ts";
import { maxErrorLength } from "../service/hide-token.ts";
import { sleep } from "../runtime.ts";
import { backoffMs } from "./backoff.ts";
import type { ConnectionCore } from "./connection-core.ts";
import type { Held } from "./held-invocations.ts";

/** The final result of a call at the service; `none` if the call was abandoned or its result was rejected. */
export type Delivered = Outcome["status"] | "none";

/**
 * Sends a result until the service answers, without a time limit. Stops only when the service answers, the lease is
 * lost or the connection ends.
 */
export async function deliverResult(core: ConnectionCore, held: Held, outcome: Outcome): Promise<Delivered> {
  const { runtime, service, ended, log } = core;
  const fields = { invocation: held.id };
  let sent = fitting(core, held, outcome);
  let replaced = sent !== outcome;
  for (let attempt = 1; ; attempt++) {
    if (held.lost || ended.aborted) return "none";
    const body = resultBody(core, held, sent);
    // The result of the only held call need not wait for others. A retry is sent alone, so that others cannot delay it.
    const isAlone = attempt > 1 || core.held.size === 1;
    const reply = await (isAlone ? service.result(body) : core.sendResult(body));
    if (reply.kind === "unauthorized") {
      core.onUnauthorized(reply);
      return "none";
    }
    if (reply.kind === "failed") {
      log.warn("A result was not delivered yet.", { ...fields, attempt, error: reply.error.message });
      await sleep(runtime, backoffMs(runtime, attempt, reply.retryAfterMs), ended, held.abort.signal, core.reached());
      continue;
    }
    const { value } = reply;
    if (value.kind === "accepted") return sent.status;
    if (value.kind === "stale") {
      log.warn("A result came too late: the service had abandoned the call or leased it to another client.", fields);
      return "none";
    }
    if (replaced) {
      log.error("The service rejected the error that replaced the result.", { ...fields, error: value.error.message });
      return "none";
    }
    // The error tells the caller the reason, instead of a result that the service would never accept.
    log.warn("The service rejected a result, so the call fails with the reason.", {
      ...fields,
      error: value.error.message,
    });
    sent = { status: "error", error: `The service rejected the function's result: ${value.error.message}` };
    replaced = true;
  }
}

/** The outcome, or an error if the outcome is too large. */
function fitting(core: ConnectionCore, held: Held, outcome: Outcome): Outcome {
  const bytes = Buffer.byteLength(resultBody(core, held, outcome));
  if (bytes <= maxResultBytes) return outcome;
  const error = `The function's result is ${bytes} bytes; the maximum is ${maxResultBytes}. Return less, or a reference to it.`;
  return { status: "error", error };
}

/** The output is already JSON text. No output means that the function returned nothing. */
function resultBody({ hide }: ConnectionCore, { id, leaseToken }: Held, outcome: Outcome): string {
  const lease = { invocationId: id, leaseToken, status: outcome.status };
  if (outcome.status === "error") return JSON.stringify({ ...lease, error: hide.cut(outcome.error, maxErrorLength) });
  const text = JSON.stringify(lease);
  return outcome.output === undefined ? text : `${text.slice(0, -1)},"output":${hide.text(outcome.output)}}`;
}
