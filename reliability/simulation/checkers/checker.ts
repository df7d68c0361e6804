import type { Storage } from "@procedo/storage";
import type { History, InvariantName } from "../history.ts";
import type { SimulationOptions } from "../options.ts";
import type { FollowedRun } from "./followed-run.ts";

/** The input of a checker. */
export interface Evidence {
  readonly history: History;
  readonly runs: readonly FollowedRun[];
  /** The storage, without faults. */
  readonly storage: Storage;
  readonly workspace: string;
  readonly options: SimulationOptions;
  readonly webhooks: readonly SimulatedWebhook[];
  /** Storage's clock, in milliseconds since the epoch. */
  readonly wallMs: number;
}

export interface SimulatedWebhook {
  readonly webhookId: string;
  readonly environment: "sandbox" | "live";
  readonly events: readonly string[];
}

/** One invariant: returns its violations. */
export interface Checker {
  readonly invariant: InvariantName;
  readonly promise: string;
  /** Also checked while the simulation runs; the other invariants are checked only at its end. */
  readonly always: boolean;
  check(evidence: Evidence): readonly string[] | Promise<readonly string[]>;
}
