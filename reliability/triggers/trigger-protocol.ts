import type { Failpoint } from "../crash/failpoints.ts";
import type { Pace } from "./paced-clock.ts";
import type { HookAddress } from "./triggered-procedures.ts";

/** The database of the processes. */
export type TriggerDatabase =
  { readonly kind: "sqlite"; readonly path: string } | { readonly kind: "postgres"; readonly url: string };

/** The setup of a process with triggers: the JSON of its first argument. */
export interface TriggerSetup {
  readonly database: TriggerDatabase;
  readonly keyPath: string;
  readonly pace: Pace;
  /** Lease of runs, by the process's clock. */
  readonly leaseMs: number;
  /** The address of the webhook trigger. Without one, the process sets up the database. */
  readonly hook?: HookAddress;
  /** The failpoint that is armed before the engine starts. */
  readonly failpoint?: Failpoint;
}

/** The parent's requests to a process, by name. */
export interface TriggerRequests {
  /** Sends events to the address of the webhook trigger, each as a request of its own, all at once. */
  readonly send: {
    readonly request: { readonly eventIds: readonly string[] };
    /** HTTP status of each. */
    readonly answer: { readonly statuses: readonly number[] };
  };
  readonly look: { readonly request: Record<string, never>; readonly answer: TriggerLook };
  readonly arm: { readonly request: { readonly failpoint?: Failpoint }; readonly answer: Record<string, never> };
}

export type TriggerRequestName = keyof TriggerRequests;

/** The remaining work. */
export interface TriggerLook {
  /** Whether a schedule has times that are not accounted for. */
  readonly isDue: boolean;
  /** Firings that have not ended. */
  readonly waiting: number;
  /** Runs that have not ended. */
  readonly running: number;
}

export interface TriggerRequest<Name extends TriggerRequestName = TriggerRequestName> {
  readonly id: number;
  readonly name: Name;
  readonly request: TriggerRequests[Name]["request"];
}

export type TriggerMessage =
  | { readonly type: "ready"; readonly hook: HookAddress }
  | { readonly type: "logged"; readonly level: string; readonly message: string }
  | { readonly type: "answer"; readonly id: number; readonly value: unknown }
  | { readonly type: "refusal"; readonly id: number; readonly code: string; readonly message: string };
