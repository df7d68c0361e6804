import type { Principal } from "./access/principal.ts";
import type { Keys } from "./keys/keys.ts";
import type { Audit } from "./audit/audit.ts";
import type { Backtest } from "./backtest/backtest.ts";
import type { Connections } from "./connections/connections.ts";
import type { Webhooks } from "./webhooks/webhooks.ts";
import type { PrivateConnections } from "./private-connections/private-connections.ts";
import type { Procedures } from "./procedures/procedures.ts";
import type { Retention } from "./archive/retention.ts";
import type { AfterRestore } from "./archive/after-restore.ts";
import type { Reviews } from "./reviews/reviews.ts";
import type { Runs } from "./runs/runs.ts";

/** Runs procedures durably, inside your process. */
export interface Engine {
  readonly procedures: Procedures;
  readonly runs: Runs;
  readonly reviews: Reviews;
  readonly connections: Connections;
  readonly privateConnections: PrivateConnections;
  readonly webhooks: Webhooks;
  readonly audit: Audit;
  readonly retention: Retention;
  readonly keys: Keys;
  /** Puts past runs through another version, without any effect. See {@link Backtest} for its errors. */
  readonly backtest: Backtest;
  /**
   * Resolves when storage answers and was written with this engine's master key, takes writes (after one that it refused, a
   * record is written and removed to find out), and, of an engine that was started, when its worker may act.
   *
   * @throws ProcedoError `invalid_configuration`, `storage_unavailable`
   */
  ready(): Promise<void>;
  /**
   * Begins to execute runs. An engine that is not started publishes, starts, decides and reads all the same.
   *
   * @throws ProcedoError `shutting_down` once it was stopped; `invalid_configuration` when the workspace was written with
   *   another master key; `storage_unavailable`, after which it may be tried again
   */
  start(): Promise<void>;
  /**
   * Says that the storage was restored from a copy, before an engine on it is started. What was pending in the copy may have
   * been done since: deliveries end as failed, each to be sent again by hand, and calls of private functions that are not
   * idempotent are not handed out again, so that a person decides on them. Told in the audit chain.
   *
   * @param request.resendWebhooks also send what was pending then. @defaultValue false
   * @throws ProcedoError `permission_denied`
   */
  markRestored(request: { readonly by: Principal; readonly resendWebhooks?: boolean }): Promise<AfterRestore>;
  /**
   * Hands its runs back to storage, each at its next step. Calls under way are listened to for as long as each may take; what is
   * left after `drainMs` is aborted. No new call begins. Resolves at once where nothing is under way.
   *
   * @param options.drainMs in milliseconds. @defaultValue 60000
   */
  stop(options?: { readonly drainMs?: number }): Promise<void>;
}
