import { checkOptionNames, type Environment, ProcedoError } from "@procedo/contract";
import { createFunctionTable } from "../functions/function-table.ts";
import { catchHandlerRejections } from "../invocations/handler-rejections.ts";
import { thrownText } from "../invocations/thrown-text.ts";
import { guardLog } from "../log.ts";
import { type Runtime, sleep, systemRuntime } from "../runtime.ts";
import { createDispatcher } from "../service/dispatcher.ts";
import { hideToken } from "../service/hide-token.ts";
import { createHttpTransport } from "../service/http-transport.ts";
import { createService } from "../service/service.ts";
import { userAgent } from "../service/user-agent.ts";
import type { ConnectionCore } from "./connection-core.ts";
import { checkConnectionOptions, type PrivateConnectionOptions } from "./connection-options.ts";
import { type ConnectionState, createEventHub, type EventHub } from "./connection-state.ts";
import { createHeldInvocations } from "./held-invocations.ts";
import { keepLeases } from "./heartbeats.ts";
import { createLifecycle } from "./lifecycle.ts";
import { pollForWork } from "./poll-loop.ts";
import { createSendResults } from "./send-results.ts";

/** A client inside a private network. It polls the service for calls of its functions, and returns their results. */
export interface PrivateConnection {
  /** The environment of the token. */
  readonly environment: Environment;
  /** The current state. */
  readonly state: ConnectionState;
  /**
   * The time of the service's last answer to a poll; `undefined` before the first. An old time means that no calls
   * arrive, if there is room for calls.
   */
  readonly lastPollAt: Date | undefined;
  /**
   * Serves until `close()`. Resolves when the connection has ended, and retries while the service is unreachable. A
   * second call returns the same promise.
   *
   * Rejects when the service rejects the token, at any time: a program that awaits the promise, or ignores it, ends
   * with an error.
   *
   * @throws ProcedoError `unauthorized`; `already_ended` after `close()`
   */
  start(): Promise<void>;
  /**
   * Accepts no new calls, finishes the running calls and delivers their results. Signals of calls that are not finished
   * within `drainMs` are aborted, and their results are not delivered. A second call waits for the same end.
   *
   * @param options.drainMs - 0 to 86400000. `@defaultValue 60 000`
   */
  close(options?: { readonly drainMs?: number }): Promise<void>;
  /** Adds a listener for an event. The returned function removes the listener. */
  readonly on: EventHub["on"];
}

/**
 * Creates a private connection that serves functions.
 *
 * @throws ProcedoError `invalid_configuration`
 * @example
 * const connection = createPrivateConnection({ functions: [screenName] });
 * process.once("SIGTERM", () => void connection.close());
 * await connection.start();
 */
export function createPrivateConnection(options: PrivateConnectionOptions): PrivateConnection {
  return assemblePrivateConnection(options, systemRuntime);
}

const defaultDrainMs = 60_000;
const maxDrainMs = 86_400_000;

/** {@link createPrivateConnection} with a custom runtime. */
export function assemblePrivateConnection(options: PrivateConnectionOptions, runtime: Runtime): PrivateConnection {
  const { token, environment, url, concurrency, sendStackTraces, ...checked } = checkConnectionOptions(options);
  const functions = createFunctionTable(options.functions);
  const hide = hideToken(token);
  const log = guardLog(checked.log, hide);
  const events = createEventHub((thrown) => log.error("A listener failed.", { error: thrownText(thrown) }));
  const transport = createHttpTransport({ url, connect: createDispatcher({ url, ...checked }), runtime });
  const service = createService({ token, hide, transport, userAgent, clientId: runtime.newId() });
  const life = createLifecycle({ environment, events, log, unfinished: () => held.all.map(({ id }) => id) });
  const held = createHeldInvocations(concurrency);
  const core: ConnectionCore = {
    ...{ functions, environment, runtime, log, sendStackTraces, service, held, events, hide },
    sendResult: createSendResults({ service, runtime }),
    closing: life.closing,
    ended: life.ended,
    reached: life.reached,
    onUnauthorized: life.onUnauthorized,
  };
  let lastPollAt: Date | undefined;
  let running: Promise<void> | undefined;
  let polling: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    const release = catchHandlerRejections();
    polling = pollForWork(core, {
      onReached: life.onReached,
      onFailed: life.onFailed,
      onPolled: () => (lastPollAt = new Date(runtime.now())),
    });
    const end = await life.whenEnded(Promise.all([polling, keepLeases(core)]));
    for (const one of held.all) held.lose(one, "The client ended.");
    release();
    await transport.close();
    if (end.reason === "unauthorized") throw end.error;
  }

  async function drain(drainMs: number): Promise<void> {
    const done = new AbortController();
    // A poll that was answered just before closing may also have calls to finish.
    void polling.then(() => held.waitForNone()).then(() => done.abort());
    if (drainMs > 0) await sleep(runtime, drainMs, done.signal, life.ended);
    life.onDrained();
  }

  return {
    environment,
    get state() {
      return life.state;
    },
    get lastPollAt() {
      return lastPollAt;
    },
    start: () => {
      if (running === undefined && life.state.status !== "idle") {
        const message = "This private connection was closed. Create another one.";
        return Promise.reject(new ProcedoError("already_ended", message));
      }
      life.onStarted();
      return (running ??= run());
    },
    close: async (given = {}) => {
      checkOptionNames("close", { drainMs: true }, given, "invalid_configuration");
      const { drainMs = defaultDrainMs } = given;
      if (!(drainMs >= 0 && drainMs <= maxDrainMs)) {
        throw new ProcedoError("invalid_configuration", `drainMs is ${drainMs}; give 0 to ${maxDrainMs}.`);
      }
      life.onClosing();
      await drain(drainMs);
      // The caller of `start()` handles the error.
      await running?.catch(() => undefined);
    },
    on: events.on,
  };
}
