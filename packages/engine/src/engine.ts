import type { Principal } from "./access/principal.ts";
import type { ApiKey } from "./keys/key-record.ts";
import type { Keys } from "./keys/keys.ts";
import type { People } from "./people/people.ts";
import type { Sessions } from "./people/session.ts";
import type { Audit } from "./audit/audit.ts";
import type { Backtest } from "./backtest/backtest.ts";
import type { Authorizations } from "./authorizations/authorizations.ts";
import type { Connections } from "./connections/connections.ts";
import type { LiveChanges } from "./live/live-changes.ts";
import type { Webhooks } from "./webhooks/webhooks.ts";
import type { PrivateConnections } from "./private-connections/private-connections.ts";
import type { Procedures } from "./procedures/procedures.ts";
import type { Retention } from "./archive/retention.ts";
import type { AfterRestore } from "./archive/after-restore.ts";
import type { Reviews } from "./reviews/reviews.ts";
import type { Runs } from "./runs/runs.ts";
import type { Summary } from "./summary/summary.ts";
import type { Inbound } from "./triggers/inbound.ts";
import type { Triggers } from "./triggers/triggers.ts";

/** Executes procedures durably, inside your process. */
export interface Engine {
  /** Drafts and published versions of procedures. */
  readonly procedures: Procedures;
  /** Starts, waits for, reads and cancels runs. */
  readonly runs: Runs;
  /** Lists reviews and takes decisions on them. */
  readonly reviews: Reviews;
  /** Connections of integrations, with their settings and secrets. */
  readonly connections: Connections;
  /** Authorizes connections by OAuth, in a person's browser. */
  readonly authorizations: Authorizations;
  /** Connections to clients in private networks, and the functions that these serve. */
  readonly privateConnections: PrivateConnections;
  /** Receivers of events, and their deliveries. */
  readonly webhooks: Webhooks;
  /** Starts of runs by themselves, and their firings. */
  readonly triggers: Triggers;
  /** Requests of other services to inbound addresses. */
  readonly inbound: Inbound;
  /** Exports runs as signed statements, and verifies all records. */
  readonly audit: Audit;
  /** Archives runs that have ended. */
  readonly retention: Retention;
  /** API keys of people and applications. */
  readonly keys: Keys;
  /** People, their access and invitations. */
  readonly people: People<ApiKey>;
  /** Sign-in, and the sessions of people. */
  readonly sessions: Sessions;
  /** What to read again, as it changes, for pages that show the present state. */
  readonly live: LiveChanges;
  /** Environments in numbers. */
  readonly summary: Summary;
  /** Executes past runs with another version, without external effects. See {@link Backtest} for its errors. */
  readonly backtest: Backtest;
  /**
   * Resolves when storage is reachable, was written with this engine's master key and accepts writes, and, in a started
   * engine, when its worker may act. After a refused write, a record is written and removed to check for writes.
   *
   * @throws ProcedoError `invalid_configuration`, `storage_unavailable`
   */
  ready(): Promise<void>;
  /**
   * Starts to execute runs. Publishing, starting, deciding and reading also work on an engine that was not started.
   *
   * @throws ProcedoError `shutting_down` after `stop`; `invalid_configuration` when the workspace was written with
   *   another master key; `storage_unavailable`, after which `start` may be repeated
   */
  start(): Promise<void>;
  /**
   * Prepares a storage that was restored from a copy, before an engine on it is started. Work that was pending in the
   * copy may have been done since then: pending deliveries end as failed, and can be resent by hand; calls of private
   * functions that are not idempotent are not dispatched again, so that a person decides on them; pending and waiting
   * firings of triggers, and the times of schedules up to now, start no runs, and can be fired by hand. All sessions of
   * people end, and open invitations are withdrawn: those that were ended or withdrawn since would be valid again. The
   * audit chain records this. A repeated call finishes what a failed one has left, and counts only that.
   *
   * @param request.resendWebhooks keeps pending deliveries pending. @defaultValue false
   * @throws ProcedoError `permission_denied`
   */
  markRestored(request: { readonly by: Principal; readonly resendWebhooks?: boolean }): Promise<AfterRestore>;
  /**
   * Releases the engine's runs to storage, each at its next step. Calls that are under way may finish within their own
   * time limits; those that remain after `drainMs` are aborted. No new call is made. Resolves at once when nothing is
   * under way.
   *
   * @param options.drainMs in milliseconds. @defaultValue 60000
   */
  stop(options?: { readonly drainMs?: number }): Promise<void>;
}
