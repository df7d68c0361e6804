/*
 * Starts of runs by themselves.
 *
 *   triggers.ts            the module's interface, for people and programs; create-triggers.ts implements it
 *   trigger-record.ts      a trigger in storage, with its keys and secrets; stored-triggers.ts reads and writes them
 *   new-trigger.ts         creation; change-trigger.ts: update, pause, resume, removal, rotation; replace-schedule.ts:
 *                          the times around a change of a schedule; account-until.ts: the times up to now;
 *                          storage-time.ts: the time of storage's clock. read-trigger.ts: the form of a request;
 *                          check-trigger.ts: the check against procedure, connection and calendar
 *   show-trigger.ts        a trigger with its health and problems; list-triggers.ts: a page of them
 *   fire-trigger.ts        firings that a person asks for; manual-event.ts: the event or input of one;
 *                          backfill-events.ts: the events of a past period, which a service lists
 *   show-firing.ts         a firing as it is shown; firing-error.ts: why one failed
 *   mapping-scope.ts       the values that a mapping reads (pure); evaluate-mapping.ts evaluates one, test-trigger.ts
 *                          for a person; source-events.ts: the connection and the schemas of its events
 *   pump.ts                the loop of each node: schedule-turn.ts turns due schedules into firings, review-schedules.ts
 *                          corrects them after the clock was set back, unreadable-schedules.ts leaves some to other nodes.
 *                          start-firing.ts turns firings into runs, for the person of trigger-person.ts.
 *                          firing-end.ts: the end of a firing without a run (pure); pause-after-failures.ts;
 *                          remove-expired.ts: old contents and firings
 *   trigger-uses.ts        the triggers that use a connection
 *   after-restore.ts       skips the times of schedules that the original of a restored copy may have fired
 *   inbound.ts             requests of other services; inbound-secret.ts: the secrets of their addresses
 *   trigger-errors.ts      the errors about triggers and firings
 */
import type {
  BackfilledTrigger,
  Environment,
  FiringReason,
  GivenTriggerSource,
  JsonObject,
  JsonValue,
  TriggerKind,
  TriggerProblem,
  TriggerSource,
} from "@procedo/contract";
import type { FiringStatus, Overlap, Page, PageRequest } from "@procedo/storage";
import type { Principal } from "../access/principal.ts";
import type { ShownOnce } from "../audit/shown-once.ts";
import type { OutsideOptions } from "../egress/outside.ts";
import type { NextTime } from "../schedules/next-times.ts";

/** Starts of runs by themselves: by a schedule, an event of a service, a signed request or a custom event. */
export interface Triggers {
  /**
   * Creates a trigger, which is active at once. Runs start for the person who last changed it. Needs the permissions
   * `manage` and `run`. The secret of a webhook trigger is returned here only.
   *
   * @throws ProcedoError `permission_denied`, `environment_mismatch`; `invalid_input` with every fault of its schedule,
   *   expressions and mapping; `procedure_not_found`, `version_not_found`, `connection_not_found`; `name_taken`;
   *   `limit_reached`
   */
  create(trigger: NewTrigger, answer?: ShownOnce): Promise<TriggerView & { readonly secret: string | undefined }>;
  /** A trigger without its secret. @throws ProcedoError `trigger_not_found` */
  get(request: TriggerAddress): Promise<TriggerView>;
  /** Sorted by id. */
  list(
    request: {
      readonly environment: Environment;
      readonly procedureId?: string;
      readonly kind?: TriggerKind;
      /** Name of the connection. */
      readonly connection?: string;
      readonly state?: "active" | "paused";
    } & PageRequest,
  ): Promise<Page<TriggerView>>;
  /**
   * Changes the given fields. A change of the schedule counts from now: the times up to now are accounted for by the
   * schedule before, and later ones are those of the changed one.
   *
   * @throws ProcedoError those of {@link Triggers.create}; `trigger_not_found`; `revision_conflict`
   */
  update(changes: TriggerChanges): Promise<TriggerView>;
  /** Removes a trigger. Its firings that have not started end as skipped. @throws ProcedoError `trigger_not_found` */
  remove(request: TriggerAddress & { readonly by: Principal }): Promise<void>;
  /** The next five times of a schedule; empty for another source. @throws ProcedoError `invalid_input` */
  preview(request: { readonly source: GivenTriggerSource }): Promise<readonly NextTime[]>;
  /**
   * The triggers that run the default version of a procedure and do not fit it, to be asked for after a change of the
   * default.
   */
  unfit(request: { readonly environment: Environment; readonly procedureId: string }): Promise<readonly UnfitTrigger[]>;
  /** Evaluates the mapping for an event or an earlier firing. Stores nothing and starts nothing. */
  test(
    request: TriggerAddress & {
      readonly by: Principal;
      readonly event?: JsonValue;
      readonly headers?: { readonly [name: string]: string };
      readonly firingId?: string;
    },
  ): Promise<MappingTest>;
  /**
   * Evaluates a mapping that is not stored. Stores nothing and starts nothing.
   *
   * @throws ProcedoError `permission_denied` without `manage`; `invalid_input`
   */
  testMapping(
    request: Pick<TriggerFields, "procedureId" | "version" | "source" | "when" | "input"> & {
      readonly environment: Environment;
      readonly by: Principal;
      readonly event?: JsonValue;
      readonly headers?: { readonly [name: string]: string };
    },
  ): Promise<MappingTest>;
  /** Pauses a trigger. Its events are skipped, or held until it is resumed. @throws ProcedoError `trigger_not_found` */
  pause(
    request: TriggerAddress & {
      readonly by: Principal;
      /** Whether its events wait until it is resumed. @defaultValue false: they are skipped */
      readonly holdsEvents?: boolean;
      /** Reason for people, at most 500 characters. @defaultValue none */
      readonly reason?: string;
    },
  ): Promise<TriggerView>;
  /** Resumes a trigger. Times that passed are recorded as one skipped firing. @throws ProcedoError `trigger_not_found` */
  resume(request: TriggerAddress & { readonly by: Principal }): Promise<TriggerView>;
  /**
   * Fires a trigger now, also a paused one. Its run starts for this person. `data` replaces its template. The same
   * idempotency key is the same firing.
   *
   * @throws ProcedoError `trigger_not_found`, `permission_denied`, `invalid_input`; `idempotency_conflict` for the key of
   *   another person, another event or other data
   */
  fire(
    request: TriggerAddress & {
      readonly by: Principal;
      readonly event?: JsonValue;
      readonly data?: JsonObject;
      readonly idempotencyKey?: string;
    },
  ): Promise<{ readonly firingId: string }>;
  /**
   * Fires the times of a schedule, or the events that the service lists, of a past period; at most 100. Those that were
   * accounted for are left out. Events arrive as if the service sent them now: at each trigger that takes them. Several
   * times need the overlap `queue` or `allow`. The trigger starts runs for the person who asked from now on, as after a
   * change.
   *
   * @throws ProcedoError `trigger_not_found`, `permission_denied`; `invalid_input`, also for a paused trigger that skips
   *   events; `connection_not_found`,
   *   `upstream_unreachable`, `inbound_unavailable`
   */
  backfill(
    request: TriggerAddress & { readonly by: Principal; readonly fromMs: number; readonly toMs: number },
    options?: OutsideOptions,
  ): Promise<BackfilledTrigger>;
  /**
   * Replaces the secret of a webhook trigger. The old one is accepted for 24 hours, or until five others are replaced
   * after it.
   *
   * @throws ProcedoError `trigger_not_found`; `invalid_input` if the trigger is no webhook
   */
  rotate(
    request: TriggerAddress & { readonly by: Principal },
    answer?: ShownOnce,
  ): Promise<{ readonly triggerId: string; readonly secret: string; readonly oldSecretExpiresAtMs: number }>;
  /** Newest first. @throws ProcedoError `trigger_not_found`, `invalid_cursor` */
  firings(
    request: TriggerAddress & {
      readonly status?: FiringStatus;
      readonly fromMs?: number;
      readonly toMs?: number;
    } & PageRequest,
  ): Promise<Page<FiringView>>;
  /** A firing with its event, and the input of its run. @throws ProcedoError `trigger_not_found`, `firing_not_found` */
  firing(request: TriggerAddress & { readonly firingId: string }): Promise<FiringDetailsView>;
  /**
   * Fires a skipped or failed firing again: a new firing of the same event. Without an idempotency key, a repetition that
   * has not ended as skipped or failed is the same firing.
   *
   * @throws ProcedoError `trigger_not_found`, `firing_not_found`, `permission_denied`; `idempotency_conflict` for the key
   *   of another person
   */
  refire(
    request: TriggerAddress & {
      readonly firingId: string;
      readonly by: Principal;
      readonly idempotencyKey?: string;
    },
  ): Promise<{ readonly firingId: string }>;
}

/** A trigger that does not fit the default version of its procedure. */
export type UnfitTrigger = Pick<TriggerView, "triggerId" | "name" | "problems">;

/** A trigger of an environment. */
export interface TriggerAddress {
  /** The environment of the trigger. */
  readonly environment: Environment;
  /** Identifier of the trigger. */
  readonly triggerId: string;
}

/** The fields of a trigger that people set. */
export interface TriggerFields {
  /** Name for people; unique within the environment. */
  readonly name: string;
  /** The procedure that it starts. */
  readonly procedureId: string;
  /** `null`: the default version at the time of the start. @defaultValue null */
  readonly version?: string | null;
  /** The occurrences that it starts runs from. */
  readonly source: GivenTriggerSource;
  /** CEL expression; a run starts only if it is true. @defaultValue null, every occurrence */
  readonly when?: string | null;
  /** Template of the run's input. @defaultValue an empty object */
  readonly input?: JsonObject;
  /** What happens while a run of it is open. @defaultValue `skip` for a schedule, `allow` for the others */
  readonly overlap?: Overlap;
  /** With `allow`: the most open runs. @defaultValue null, no bound */
  readonly maxOpenRuns?: number | null;
  /** Pauses it after this many failures in a row. @defaultValue null, never */
  readonly pauseAfterFailures?: number | null;
}

/** A trigger to be created. */
export interface NewTrigger extends TriggerFields {
  /** The environment of the trigger and its runs. */
  readonly environment: Environment;
  /** The person who creates it, and for whom its runs start. */
  readonly by: Principal;
}

/** Changes of a trigger. A field that is left out stays. */
export interface TriggerChanges extends TriggerAddress, Partial<TriggerFields> {
  /** The person who changes it, and for whom its runs start from now on. */
  readonly by: Principal;
  /** Refuses the change unless the trigger has this revision. @defaultValue any revision */
  readonly revision?: number;
}

/** A trigger, as it is shown. */
export interface TriggerView extends TriggerAddress, Required<Omit<TriggerFields, "source">> {
  /** The source with its defaults. */
  readonly source: TriggerSource;
  /** Present while it is paused. */
  readonly paused: TriggerPause | undefined;
  /** Its newest firings and their runs. */
  readonly health: TriggerHealth;
  /** The next five times of an active schedule. */
  readonly next: readonly NextTime[];
  /** Its inbound address, of a webhook trigger. */
  readonly inbound: TriggerInbound | undefined;
  /** The places that do not fit any more. */
  readonly problems: readonly TriggerProblem[];
  /** The person who created it. */
  readonly createdBy: string;
  /** Time of its creation, in milliseconds since the epoch. */
  readonly createdAtMs: number;
  /** The person who last changed it. */
  readonly updatedBy: string;
  /** Time of its last change, in milliseconds since the epoch. */
  readonly updatedAtMs: number;
  /** Number of its changes, from 1. */
  readonly revision: number;
}

/** The inbound address of a webhook trigger, with its requests. */
export interface TriggerInbound {
  /** The address that the other service sends them to, such as `in_live_…`. */
  readonly address: string;
  /** Time of the last verified request, in milliseconds since the epoch, to the minute; `undefined` if there was none. */
  readonly lastReceivedAtMs: number | undefined;
  /** Refused requests of the last 24 hours, as this process counted them since its start. */
  readonly refusedLast24h: number;
}

/** The pause of a trigger. */
export interface TriggerPause {
  /** Time of the pause, in milliseconds since the epoch. */
  readonly atMs: number;
  /** The person, or `procedo` after failures in a row. */
  readonly by: string;
  /** The person's reason, if one was given. */
  readonly reason: string | undefined;
  /** Whether its events are skipped or held. */
  readonly events: "skip" | "hold";
}

/** The health of a trigger. */
export interface TriggerHealth {
  /** `needs_attention`: a person has to change something before it starts runs again. */
  readonly status: "ok" | "failing" | "needs_attention";
  /** Failures in a row, up to 100. */
  readonly consecutiveFailures: number;
  /** Time of its newest firing, in milliseconds since the epoch. */
  readonly lastFiringAtMs: number | undefined;
  /** Firings that have not started yet, counted up to 1,000. */
  readonly waiting: number;
}

/** The result of a test of a mapping. */
export interface MappingTest {
  /** Whether `when` is true. */
  readonly matches: boolean;
  /** The input of the run; `undefined` if it cannot be made. */
  readonly input: JsonValue | undefined;
  /** Why no run would start. */
  readonly problems: readonly TriggerProblem[];
}

/** A firing, as it is shown. */
export interface FiringView {
  /** Identifier of the firing. */
  readonly firingId: string;
  /** Identifier of its trigger. */
  readonly triggerId: string;
  /** Its status. */
  readonly status: FiringStatus;
  /** Why it started no run. */
  readonly reason: FiringReason | undefined;
  /** Of a failed firing. */
  readonly error:
    | {
        /** The reason, for people. */
        readonly message: string;
        /** The places that do not fit. */
        readonly details: readonly TriggerProblem[];
      }
    | undefined;
  /** How many skipped times it stands for. */
  readonly count: number;
  /** The person who asked for it, and who started its run; `undefined` for a firing by itself. */
  readonly requestedBy: string | undefined;
  /** The nominal time of a schedule, in milliseconds since the epoch. */
  readonly scheduledAtMs: number | undefined;
  /** The sender's time of the event, in milliseconds since the epoch. */
  readonly occurredAtMs: number | undefined;
  /** Time of its creation, in milliseconds since the epoch. */
  readonly receivedAtMs: number;
  /** Its event. */
  readonly event:
    | {
        /** The sender's identifier. */
        readonly id: string;
        /** The sender's name for its kind. */
        readonly type: string;
        /** SHA-256, hex: of the request's body as it was sent, or of its JSON if it came without a request. */
        readonly digest: string;
      }
    | undefined;
  /** The run that it started. */
  readonly run:
    | {
        /** Identifier of the run. */
        readonly runId: string;
        /** The version that the run executes. */
        readonly procedureVersion: string;
      }
    | undefined;
  /** Time from its nominal time or its arrival to the start of its run, in milliseconds. */
  readonly lateMs: number | undefined;
  /** How often its event arrived again. */
  readonly duplicates: number;
  /** The firing that it repeats. */
  readonly refireOf: string | undefined;
}

/** A firing with its contents. */
export interface FiringDetailsView extends FiringView {
  /** The event and its headers; `undefined` without an event, and once it was removed. */
  readonly content:
    | {
        /** The event as expressions read it. */
        readonly event: JsonValue;
        /** The headers of its request, by name in lower case. */
        readonly headers: { readonly [name: string]: string };
      }
    | undefined;
  /** The input of its run; `undefined` without a run. */
  readonly input: JsonValue | undefined;
}
