import { ProcedoError } from "@procedo/contract";
import { sleep } from "../runtime.ts";
import type { Reply } from "../service/service.ts";
import { backoffMs } from "./backoff.ts";
import type { ConnectionCore } from "./connection-core.ts";
import { serveInvocations } from "./serve-invocations.ts";

/** The maximum number of invocations in one poll. */
const maxPerPoll = 100;
/** The service holds a poll without work for at least this time. A faster answer comes from another server. */
const heldAtLeastMs = 1_000;

/** Callbacks of the poll loop about the connection to the service. */
export interface Reachability {
  readonly onReached: () => void;
  /** Called when the service answered a poll. */
  readonly onPolled: () => void;
  readonly onFailed: (failure: ReachFailure) => void;
}

export interface ReachFailure {
  /** The number of consecutive failures. */
  readonly attempt: number;
  /** The wait before the next attempt. */
  readonly delayMs: number;
  readonly error: ProcedoError;
}

/** The outcome of one request of the loop. */
type Turn =
  | { readonly kind: "continue" }
  /** The answer came too soon or had too few calls for a real service. The next request must wait. */
  | { readonly kind: "pace" }
  | { readonly kind: "failed"; readonly error: ProcedoError; readonly retryAfterMs?: number }
  | { readonly kind: "over" };

/**
 * Polls for work until the connection closes: registers the manifest, then polls for as many calls as fit. After a
 * failure, it registers the manifest again, which the service answers immediately; a new service thus learns the
 * functions.
 */
export async function pollForWork(core: ConnectionCore, reachability: Reachability): Promise<void> {
  const { runtime, held, service, closing } = core;
  let digest: string | undefined;
  let attempt = 0;
  let asksAgain = false;

  async function register(): Promise<Turn> {
    const reply = await service.register(core.functions.manifest, closing);
    if (reply.kind !== "answered") return unanswered(reply);
    digest = reply.value.digest;
    reachability.onReached();
    return { kind: "continue" };
  }

  async function poll(known: string): Promise<Turn> {
    await held.waitForRoom(closing);
    if (closing.aborted) return { kind: "over" };
    const sentAtMs = runtime.monotonic();
    const reply = await service.poll({ max: Math.min(held.free, maxPerPoll), digest: known }, closing);
    if (reply.kind !== "answered") return unanswered(reply);
    if (reply.value.kind === "manifest_required") {
      digest = undefined;
      // The first time is normal when a service is replaced.
      if (asksAgain) return { kind: "failed", error: forgetful };
      asksAgain = true;
      return { kind: "continue" };
    }
    reachability.onPolled();
    attempt = 0;
    asksAgain = false;
    // Calls that arrive while the connection starts to close are also finished.
    if (reply.value.kind === "work") {
      return { kind: serveInvocations(core, reply.value.invocations, sentAtMs) > 0 ? "continue" : "pace" };
    }
    return { kind: runtime.monotonic() - sentAtMs < heldAtLeastMs ? "pace" : "continue" };
  }

  function unanswered(reply: Exclude<Reply<never>, { kind: "answered" }>): Turn {
    if (reply.kind === "unauthorized") core.onUnauthorized(reply);
    return reply.kind === "unauthorized" || closing.aborted ? { kind: "over" } : reply;
  }

  while (!closing.aborted) {
    const turn = digest === undefined ? await register() : await poll(digest);
    if (turn.kind === "over") return;
    if (turn.kind === "pace") await sleep(runtime, backoffMs(runtime, 1), closing);
    if (turn.kind === "failed") {
      attempt++;
      digest = undefined;
      const delayMs = backoffMs(runtime, attempt, turn.retryAfterMs);
      reachability.onFailed({ attempt, delayMs, error: turn.error });
      await sleep(runtime, delayMs, closing);
    }
  }
}

const forgetful = new ProcedoError(
  "manifest_required",
  "GET /v1/sdk/poll was answered with 412 again: the service does not know the functions that were just registered.",
);
