import type { Scope } from "./scope.ts";

/** Events of one request of another service. */
export interface EventBatch {
  /** The workspace and environment of the events. */
  readonly scope: Scope;
  /** The origin within which dedupe keys are unique: the id of a connection or of a trigger. */
  readonly source: string;
  /** In the order of the request. */
  readonly events: readonly IncomingEvent[];
  /** From 1. */
  readonly maxBacklog: number;
}

/** The content of an event, which retention removes earlier than the event. */
export interface EventContent {
  /** The event, as JSON text. */
  readonly body: string;
  /** The headers of its request, as JSON text of an object; `undefined` if it came without. */
  readonly headers: string | undefined;
}

/** The facts of an event that stay as long as its firings. */
export interface EventFacts {
  /** The sender's identifier of the event. */
  readonly id: string;
  /** The sender's name for its kind. */
  readonly type: string;
  /** SHA-256, hex: of the body that brought it, or of its JSON if none did. */
  readonly digest: string;
}

/** An event to be stored. */
export interface IncomingEvent extends EventFacts, EventContent {
  /** Record keys of the triggers that take it: see {@link triggerEventKey}. */
  readonly keys: readonly string[];
  /** The same for each arrival of the event. */
  readonly dedupeKey: string;
  /** How long its dedupe key is known, from now. */
  readonly dedupeForMs: number;
  /** The sender's time of the event, in milliseconds since the epoch; `undefined` if it states none. */
  readonly occurredAtMs: number | undefined;
  /** Makes its firings `skipped` for this reason. @defaultValue they are pending */
  readonly skip?: "too_old";
}

/** The outcome of taking one event. */
export type TakeResult =
  | {
      readonly status: "taken";
      /** Number of firings that were stored. */
      readonly firings: number;
    }
  | { readonly status: "known" }
  | { readonly status: "untaken" };

/** The record key by which a trigger takes events of a type from a source; `undefined` stands for every type. */
export function triggerEventKey(scope: Scope, source: string, type: string | undefined): string {
  return JSON.stringify([scope.workspace, scope.environment, source, type ?? null]);
}
