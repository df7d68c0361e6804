import { type Outcome, runInvocation } from "../invocations/run-invocation.ts";
import { thrownStack } from "../invocations/thrown-text.ts";
import type { PolledCall, ReceivedInvocation } from "../service/protocol-answers.ts";
import type { ConnectionCore } from "./connection-core.ts";
import { deliverResult } from "./deliver-result.ts";
import { acknowledge, type Acknowledgement } from "./heartbeats.ts";
import type { Held } from "./held-invocations.ts";

type Taken = { readonly held: Held; readonly received: PolledCall };

/** Accepts dispatched calls and starts them. Returns the number of accepted calls without waiting for their results. */
export function serveInvocations(core: ConnectionCore, received: readonly PolledCall[], sentAtMs: number): number {
  const taken = received.slice(0, core.held.free).flatMap((one): Taken[] => {
    const held = core.held.take(one.lease, mayRepeat(core, one), sentAtMs);
    return held === undefined ? [] : [{ held, received: one }];
  });
  const ignored = received.length - taken.length;
  if (ignored > 0)
    core.log.warn("Ignored calls that were dispatched again or beyond the requested number.", { ignored });
  const once = taken.filter(({ held }) => !held.idempotent);
  for (const { held, received: one } of taken) if (held.idempotent) void serve(core, held, one, "acknowledged");
  if (once.length > 0) void serveOnce(core, once);
  return taken.length;
}

/** A call that will not be made needs no acknowledgement. */
function mayRepeat({ functions }: ConnectionCore, received: PolledCall): boolean {
  if (received.kind === "unreadable") return true;
  return functions.get(received.invocation.function)?.declaration.idempotent ?? true;
}

async function serveOnce(core: ConnectionCore, taken: readonly Taken[]): Promise<void> {
  const byHeld = new Map(taken.map((one) => [one.held, one.received]));
  await acknowledge(core, [...byHeld.keys()], (held, acknowledgement) => {
    const one = byHeld.get(held);
    if (one !== undefined) void serve(core, held, one, acknowledgement);
  });
}

async function serve(
  core: ConnectionCore,
  held: Held,
  received: PolledCall,
  acknowledgement: Acknowledgement,
): Promise<void> {
  try {
    // After a long suspension of this process, the lease may have ended.
    const isOver = held.idempotent && held.deadlineMs <= core.runtime.monotonic();
    if (acknowledgement === "abandoned" || isOver || core.ended.aborted) return;
    if (received.kind === "unreadable") {
      core.log.warn("A call could not be read.", { invocation: held.id, reason: received.reason });
      await deliverResult(core, held, { status: "error", error: received.reason });
    } else {
      await call(core, held, received.invocation, acknowledgement);
    }
  } catch (thrown) {
    core.log.error("A call could not be served.", { invocation: held.id, error: thrownStack(thrown) });
  } finally {
    core.held.release(held);
  }
}

async function call(
  core: ConnectionCore,
  held: Held,
  invocation: ReceivedInvocation,
  acknowledgement: Acknowledgement,
): Promise<void> {
  const named = { id: held.id, function: invocation.function, runId: invocation.context.runId };
  const startedAtMs = core.runtime.monotonic();
  core.events.emit("invocation", { ...named, phase: "started" });
  const outcome = acknowledgement === "expired" ? notCalled : await run(core, held, invocation);
  core.held.end(held);
  const result = await deliverResult(core, held, outcome);
  const durationMs = Math.round(core.runtime.monotonic() - startedAtMs);
  core.events.emit("invocation", { ...named, phase: "ended", result, durationMs });
}

/** An outcome without an effect. No person has to find out what happened to the call. */
const notCalled: Outcome = {
  status: "error",
  error: "The function was not called: its acknowledgement was not answered in time.",
};

async function run(core: ConnectionCore, held: Held, invocation: ReceivedInvocation): Promise<Outcome> {
  core.held.rememberCall(held);
  return await runInvocation(core, invocation, held.abort);
}
