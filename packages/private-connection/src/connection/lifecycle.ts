import { type Environment, ProcedoError } from "@procedo/contract";
import type { Log } from "../log.ts";
import type { ConnectionEnd, ConnectionState, EventHub } from "./connection-state.ts";
import type { Reachability } from "./poll-loop.ts";

/** Changes a connection's state and reports the change. */
export interface Lifecycle extends Pick<Reachability, "onReached" | "onFailed"> {
  readonly state: ConnectionState;
  /** Aborted when no new calls are accepted. */
  readonly closing: AbortSignal;
  /** Aborted when the connection has ended. */
  readonly ended: AbortSignal;
  /** Aborted and replaced when the service is reached again. */
  readonly reached: () => AbortSignal;
  onStarted(): void;
  readonly onUnauthorized: (refusal: { readonly error: ProcedoError }) => void;
  onClosing(): void;
  /** Must be called when the running calls have finished or their time is over. */
  onDrained(): void;
  /** Resolves at the end. Rejects if the loops fail, which is a defect. */
  whenEnded(loops: Promise<unknown>): Promise<ConnectionEnd>;
}

export interface LifecycleOptions {
  readonly environment: Environment;
  readonly events: EventHub;
  readonly log: Log;
  /** The ids of unfinished calls. */
  readonly unfinished: () => readonly string[];
}

export function createLifecycle({ environment, events, log, unfinished }: LifecycleOptions): Lifecycle {
  const closing = new AbortController();
  const ended = new AbortController();
  const end = Promise.withResolvers<ConnectionEnd>();
  let reached = new AbortController();
  let state: ConnectionState = { status: "idle" };

  function finish(how: ConnectionEnd): void {
    state = { status: "stopped", ...how };
    closing.abort();
    ended.abort();
    events.emit("stopped", how);
    end.resolve(how);
  }

  return {
    get state() {
      return state;
    },
    closing: closing.signal,
    ended: ended.signal,
    reached: () => reached.signal,
    onStarted: () => {
      if (state.status === "idle") state = { status: "connecting" };
    },
    onReached: () => {
      if (state.status !== "connecting" && state.status !== "reconnecting") return;
      state = { status: "connected" };
      log.info("Connected.", { environment });
      const before = reached;
      reached = new AbortController();
      before.abort();
      events.emit("connected", { environment });
    },
    onFailed: ({ attempt, delayMs, error }) => {
      if (closing.signal.aborted) return;
      state = { status: "reconnecting", attempt, error };
      log.warn("The service cannot be reached. Retrying.", {
        attempt,
        delayMs: Math.round(delayMs),
        error: error.message,
      });
      events.emit("reconnecting", { attempt, delayMs, error });
    },
    onUnauthorized: ({ error: { requestId } }) => {
      if (ended.signal.aborted) return;
      const message =
        "The service rejected the token because it is wrong or was regenerated. The client has stopped. Restart it with the latest token.";
      const error = new ProcedoError("unauthorized", message, { ...(requestId !== undefined && { requestId }) });
      log.error(message, { requestId, unfinished: unfinished().length });
      finish({ reason: "unauthorized", unfinished: unfinished(), error });
    },
    onClosing: () => {
      if (state.status === "stopped") return;
      if (state.status === "idle") {
        finish({ reason: "closed", unfinished: [] });
        return;
      }
      state = { status: "draining" };
      closing.abort();
    },
    onDrained: () => {
      if (ended.signal.aborted) return;
      const left = unfinished();
      if (left.length > 0) log.warn("Closed before all calls were finished.", { unfinished: left.join(" ") });
      else log.info("Closed.");
      finish({ reason: "closed", unfinished: left });
    },
    whenEnded: async (loops) => await Promise.race([end.promise, loops.then(() => end.promise)]),
  };
}
