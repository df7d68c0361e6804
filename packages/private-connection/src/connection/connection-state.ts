import type { Environment, ProcedoError } from "@procedo/contract";

/** The state of a private connection. */
export type ConnectionState =
  /** `start()` has not been called yet. */
  | { readonly status: "idle" }
  | { readonly status: "connecting" }
  | { readonly status: "connected" }
  /** Retried until the service is reached; `attempt` counts consecutive failures. */
  | {
      readonly status: "reconnecting";
      /** Number of consecutive failures. */
      readonly attempt: number;
      /** The last failure. */
      readonly error: ProcedoError;
    }
  /** `close()` was called; running calls are finished. */
  | { readonly status: "draining" }
  | ({ readonly status: "stopped" } & ConnectionEnd);

/** The reason for the end of a connection, and the ids of calls whose results were not delivered. */
export type ConnectionEnd =
  | {
      readonly reason: "closed";
      /** Ids of calls whose results were not delivered. */
      readonly unfinished: readonly string[];
    }
  /** The service rejected the token because it is wrong or was regenerated. */
  | {
      readonly reason: "unauthorized";
      /** Ids of calls whose results were not delivered. */
      readonly unfinished: readonly string[];
      /** The error with which the service rejected the token. */
      readonly error: ProcedoError;
    };

/** A change of one invocation. */
export type InvocationEvent = {
  /** Identifier of the call. */
  readonly id: string;
  /** Name of the function. */
  readonly function: string;
  /** The run that makes the call; `null` if no run makes it. */
  readonly runId: string | null;
} & (
  | { readonly phase: "started" }
  | {
      readonly phase: "ended";
      /** The final result at the service; `none` if the call was abandoned or its result was rejected. */
      readonly result: "ok" | "error" | "none";
      /** Duration of the call, in milliseconds. */
      readonly durationMs: number;
    }
);

/** Events of a client's connection, by name. */
export interface ConnectionEvents {
  /** The service was reached, for the first time or again. */
  readonly connected: {
    /** The environment of the token. */
    readonly environment: Environment;
  };
  /** The service was not reached; the next attempt follows after `delayMs`. */
  readonly reconnecting: {
    /** Number of consecutive failures. */
    readonly attempt: number;
    /** Delay before the next attempt, in milliseconds. */
    readonly delayMs: number;
    /** The failure. */
    readonly error: ProcedoError;
  };
  /** The connection ended: it was closed, or the service rejected the token. */
  readonly stopped: ConnectionEnd;
  /** A call of a function started or ended. */
  readonly invocation: InvocationEvent;
}

type Listener<Event> = (event: Event) => void;

/** Listeners by event. A listener that throws affects neither the others nor the connection. */
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
