import { ProcedoError } from "@procedo/contract";
import { sleep } from "../runtime.ts";
import type { Reply } from "../service/service.ts";
import { backoffMs } from "./backoff.ts";
import type { ConnectionCore } from "./connection-core.ts";
import { serveInvocations } from "./serve-invocations.ts";

/** Most invocations that one poll may ask for. */
const maxPerPoll = 100;
/** A poll without work that is answered sooner was not held: something answers in the service's place. */
const heldAtLeastMs = 1_000;

/** The poll loop's reports on the way to the service. */
export interface Reachability {
  readonly onReached: () => void;
  /** The service answered a poll. */
  readonly onPolled: () => void;
  readonly onFailed: (failure: ReachFailure) => void;
}

export interface ReachFailure {
  /** How many failures there were in a row. */
  readonly attempt: number;
  /** Until it is tried again. */
  readonly delayMs: number;
  readonly error: ProcedoError;
}

/** What one request of the loop came to. */
type Turn =
  | { readonly kind: "go on" }
  /** Answered, but sooner or with less than a service does that means it: not to be asked again at once. */
  | { readonly kind: "pace" }
  | { readonly kind: "failed"; readonly error: ProcedoError; readonly retryAfterMs?: number }
  | { readonly kind: "over" };

/**
 * Asks for work until the connection closes: sends the manifest, then polls for as much as fits. After a failure it
 * begins with the manifest again, which is answered at once and tells a new service what is served here.
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
    return { kind: "go on" };
  }

  async function poll(known: string): Promise<Turn> {
    await held.waitForRoom(closing);
    if (closing.aborted) return { kind: "over" };
    const sentAtMs = runtime.monotonic();
    const reply = await service.poll({ max: Math.min(held.free, maxPerPoll), digest: known }, closing);
    if (reply.kind !== "answered") return unanswered(reply);
    if (reply.value.kind === "manifest_required") {
      digest = undefined;
      // Once is what happens when a service is replaced.
      if (asksAgain) return { kind: "failed", error: forgetful };
      asksAgain = true;
      return { kind: "go on" };
    }
    reachability.onPolled();
    attempt = 0;
    asksAgain = false;
    // Calls that arrive while the connection begins to close are finished like the rest.
    if (reply.value.kind === "work") {
      return { kind: serveInvocations(core, reply.value.handedOut, sentAtMs) > 0 ? "go on" : "pace" };
    }
    return { kind: runtime.monotonic() - sentAtMs < heldAtLeastMs ? "pace" : "go on" };
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
  "GET /v1/sdk/poll was answered with 412 again: the service does not know the functions that it was just told.",
);
