import { maxResultBytes } from "@procedo/contract";
import type { Outcome } from "../invocations/run-invocation.ts";
import { maxErrorLength } from "../service/hide-token.ts";
import { sleep } from "../runtime.ts";
import { backoffMs } from "./backoff.ts";
import type { ConnectionCore } from "./connection-core.ts";
import type { Held } from "./held-invocations.ts";

/** The service's last word on a call; `none` when the call was given up or its result was refused. */
export type Delivered = Outcome["status"] | "none";

/**
 * Sends a result until it is answered, however long that takes: nothing but the service's word, a lost lease or the end
 * of the connection ends it.
 */
export async function deliverResult(core: ConnectionCore, held: Held, outcome: Outcome): Promise<Delivered> {
  const { runtime, service, ended, log } = core;
  const fields = { invocation: held.id };
  let sent = fitting(core, held, outcome);
  let replaced = sent !== outcome;
  for (let attempt = 1; ; attempt++) {
    if (held.lost || ended.aborted) return "none";
    const body = resultBody(core, held, sent);
    // One that is held alone has nothing to wait for. What was not answered with others goes alone: none keeps it any longer.
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
      log.warn("A result came too late: the service gave the call to another client, or up.", fields);
      return "none";
    }
    if (replaced) {
      log.error("The service does not take the result.", { ...fields, error: value.error.message });
      return "none";
    }
    // The caller learns why, instead of waiting for what is never accepted.
    log.warn("The service refused a result; the call fails with the reason.", {
      ...fields,
      error: value.error.message,
    });
    sent = { status: "error", error: `The service refused the function's result: ${value.error.message}` };
    replaced = true;
  }
}

/** The outcome, or an error that says that it is too large. */
function fitting(core: ConnectionCore, held: Held, outcome: Outcome): Outcome {
  const bytes = Buffer.byteLength(resultBody(core, held, outcome));
  if (bytes <= maxResultBytes) return outcome;
  const error = `The function's result is ${bytes} bytes; ${maxResultBytes} is the most. Return less, or a reference to it.`;
  return { status: "error", error };
}

/** The output is JSON text already. One that is left out says that the function returned nothing. */
function resultBody({ hide }: ConnectionCore, { id, leaseToken }: Held, outcome: Outcome): string {
  const lease = { invocationId: id, leaseToken, status: outcome.status };
  if (outcome.status === "error") return JSON.stringify({ ...lease, error: hide.cut(outcome.error, maxErrorLength) });
  const text = JSON.stringify(lease);
  return outcome.output === undefined ? text : `${text.slice(0, -1)},"output":${hide.text(outcome.output)}}`;
}
