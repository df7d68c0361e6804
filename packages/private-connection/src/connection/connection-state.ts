import type { Environment, ProcedoError } from "@procedo/contract";

/** How a private connection stands. */
export type ConnectionState =
  /** `start()` was not called yet. */
  | { readonly status: "idle" }
  | { readonly status: "connecting" }
  | { readonly status: "connected" }
  /** Tried again until it succeeds; `attempt` counts failures in a row. */
  | { readonly status: "reconnecting"; readonly attempt: number; readonly error: ProcedoError }
  /** `close()` was called; calls that run are finished. */
  | { readonly status: "draining" }
  | ({ readonly status: "stopped" } & ConnectionEnd);

/** Why a connection ended, and the ids of calls whose results were not delivered. */
export type ConnectionEnd =
  | { readonly reason: "closed"; readonly unfinished: readonly string[] }
  /** The token was refused: it is wrong, or was regenerated. */
  | { readonly reason: "unauthorized"; readonly unfinished: readonly string[]; readonly error: ProcedoError };

/** What happened to one invocation. */
export type InvocationEvent = {
  readonly id: string;
  readonly function: string;
  readonly runId: string | null;
} & (
  | { readonly phase: "started" }
  | {
      readonly phase: "ended";
      /** The service's last word: a result, an error, or none, because the call was given up or its result was refused. */
      readonly result: "ok" | "error" | "none";
      readonly durationMs: number;
    }
);

/** Events of a client's connection, by name. */
export interface ConnectionEvents {
  /** The service was reached, for the first time or again. */
  readonly connected: { readonly environment: Environment };
  /** The service was not reached; the next attempt comes after `delayMs`. */
  readonly reconnecting: { readonly attempt: number; readonly delayMs: number; readonly error: ProcedoError };
  readonly stopped: ConnectionEnd;
  readonly invocation: InvocationEvent;
}

type Listener<Event> = (event: Event) => void;

/** Listeners by event. One that throws disturbs neither the others nor the connection. */
export interface EventHub {
  readonly on: <Name extends keyof ConnectionEvents>(
    name: Name,
    listener: Listener<ConnectionEvents[Name]>,
  ) => () => void;
  readonly emit: <Name extends keyof ConnectionEvents>(name: Name, event: ConnectionEvents[Name]) => void;
}

export function createEventHub(onError: (thrown: unknown) => void): EventHub {
  const listeners: { [Name in keyof ConnectionEvents]: Set<Listener<ConnectionEvents[Name]>> } = {
    connected: new Set(),
    reconnecting: new Set(),
    stopped: new Set(),
    invocation: new Set(),
  };
  return {
    on: (name, listener) => {
      listeners[name].add(listener);
      return () => void listeners[name].delete(listener);
    },
    emit: (name, event) => {
      for (const listener of [...listeners[name]]) {
        try {
          listener(event);
        } catch (thrown) {
          onError(thrown);
        }
      }
    },
  };
}
