import { heartbeatIntervalMs, invocationLeaseMs } from "@procedo/contract";
import { sleep } from "../runtime.ts";
import type { Lease } from "../service/protocol-answers.ts";
import { backoffMs } from "./backoff.ts";
import type { ConnectionCore } from "./connection-core.ts";
import type { Held } from "./held-invocations.ts";

/** The maximum number of leases in one heartbeat. */
const batchSize = 100;
/** A lease of 60 s leaves room for several attempts. */
const maxRetryMs = 5_000;

/** The outcome of an acknowledgement. */
export type Acknowledgement =
  /** The service knows that the call is about to be made. */
  | "acknowledged"
  /** The service has abandoned the call or leased it to another client. */
  | "abandoned"
  /** The service has not answered, and the lease may have ended. */
  | "expired";

/** Extends the leases of held calls until the connection ends, including while it drains. */
export async function keepLeases(core: ConnectionCore): Promise<void> {
  const { runtime, held, ended } = core;
  let failures = 0;
  let nextBeatMs = runtime.monotonic() + heartbeatIntervalMs;
  while (!ended.aborted) {
    const soonestEndMs = Math.min(...held.all.filter(mayEnd).map(({ deadlineMs }) => deadlineMs));
    await sleep(runtime, Math.max(0, Math.min(nextBeatMs, soonestEndMs) - runtime.monotonic()), ended);
    loseExpired(core);
    if (ended.aborted || runtime.monotonic() < nextBeatMs) continue;
    failures = (await sendHeartbeats(core)) ? 0 : failures + 1;
    // A failed heartbeat says nothing about the leases. It is repeated soon; calls run on until a lease may have ended.
    const delayMs = failures === 0 ? heartbeatIntervalMs : Math.min(backoffMs(runtime, failures), maxRetryMs);
    nextBeatMs = runtime.monotonic() + delayMs;
  }
}

/** Only a call that another client may repeat ends with its lease. Any other call runs to its end. */
const mayEnd = ({ idempotent, lost }: Held): boolean => idempotent && !lost;

function loseExpired({ held, runtime, log }: ConnectionCore): void {
  const nowMs = runtime.monotonic();
  for (const one of held.all.filter((each) => mayEnd(each) && each.deadlineMs <= nowMs)) {
    log.warn("A call's lease may have ended; another client may be making the call.", { invocation: one.id });
    held.lose(one, "The lease may have ended: the service could not be reached.");
  }
}

async function sendHeartbeats(core: ConnectionCore): Promise<boolean> {
  const beating = core.held.all.filter(({ beating: isBeating, lost }) => isBeating && !lost);
  let answered = true;
  for (let from = 0; from < beating.length; from += batchSize) {
    const batch = beating.slice(from, from + batchSize);
    const leases = batch.map(leaseOf);
    const sentAtMs = core.runtime.monotonic();
    const reply = await core.service.heartbeat(leases);
    if (reply.kind === "unauthorized") core.onUnauthorized(reply);
    if (reply.kind === "failed") core.log.warn("A heartbeat failed.", { error: reply.error.message });
    if (reply.kind === "answered") apply(core, batch, leases, sentAtMs, reply.value);
    answered &&= reply.kind === "answered";
  }
  return answered;
}

function apply(
  { held, log }: ConnectionCore,
  batch: readonly Held[],
  leases: readonly Lease[],
  sentAtMs: number,
  abandon: ReadonlySet<string>,
): void {
  for (const [index, one] of batch.entries()) {
    // The call was dispatched again in the meantime; the answer is about its earlier lease.
    if (one.leaseToken !== leases[index]?.leaseToken) continue;
    if (!abandon.has(one.id)) {
      held.extend(one, sentAtMs);
      continue;
    }
    log.warn("The service abandoned a call.", { invocation: one.id });
    held.lose(one, "The service abandoned the call.");
  }
}

/**
 * Acknowledges calls, and reports the service's answer for each. A function that is not idempotent is called only after
 * its acknowledgement. Requests are repeated until all calls are answered or their leases may have ended.
 */
export async function acknowledge(
  core: ConnectionCore,
  batch: readonly Held[],
  tell: (one: Held, acknowledgement: Acknowledgement) => void,
): Promise<void> {
  const { runtime, ended, service } = core;
  const open = new Set(batch);
  const decide = (one: Held, acknowledgement: Acknowledgement): void => {
    open.delete(one);
    tell(one, acknowledgement);
  };
  for (let attempt = 1; ; attempt++) {
    const sentAtMs = runtime.monotonic();
    // A lease may have been renewed in the meantime, if the same call was dispatched again.
    for (const one of [...open]) {
      if (ended.aborted) decide(one, "abandoned");
      else if (one.deadlineMs <= sentAtMs) decide(one, "expired");
    }
    const asked = [...open];
    if (asked.length === 0) return;
    const leases = asked.map(leaseOf);
    const reply = await service.heartbeat(leases);
    if (reply.kind === "unauthorized") core.onUnauthorized(reply);
    if (reply.kind === "answered") {
      apply(core, asked, leases, sentAtMs, reply.value);
      for (const [index, one] of asked.entries()) {
        // The call was dispatched again in the meantime; its new lease is acknowledged separately.
        if (one.leaseToken !== leases[index]?.leaseToken) continue;
        one.beating = true;
        // This process may have been suspended between the request and the answer.
        const isLate = runtime.monotonic() >= sentAtMs + invocationLeaseMs;
        decide(one, one.lost ? "abandoned" : isLate ? "expired" : "acknowledged");
      }
    }
    if (reply.kind === "failed") {
      core.log.warn("An acknowledgement failed.", { error: reply.error.message });
      const soonestEndMs = Math.min(...asked.map(({ deadlineMs }) => deadlineMs));
      const delayMs = Math.min(backoffMs(runtime, attempt, reply.retryAfterMs), soonestEndMs - runtime.monotonic());
      await sleep(runtime, Math.max(0, delayMs), ended, core.reached());
    }
  }
}

const leaseOf = ({ id, leaseToken }: Held): Lease => ({ invocationId: id, leaseToken });
