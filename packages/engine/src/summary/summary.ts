/*
 * The state of an environment in numbers, for the first page that a person sees. The numbers are up to 5 s old.
 *
 *   summary.ts      counts runs, reviews, connections and webhooks
 *   kept.ts         shares one read among callers
 */
import { normalName, type Environment } from "@procedo/contract";
import type { EndedRuns, ReviewTally, RunTally, Scope, Storage } from "@procedo/storage";
import { refuseRevoked, type Principal } from "../access/principal.ts";
import { isInTrouble } from "../connections/connection-record.ts";
import type { Connections } from "../connections/connections.ts";
import type { Clock } from "../ports/clock.ts";
import { maxExaminedReviews, type Reviews } from "../reviews/reviews.ts";
import { attentionAt, lastDays } from "../runs/attention.ts";
import { kept } from "./kept.ts";

/** The number of things in an environment that call for a person. */
export interface SummaryAttention {
  /** Open reviews because of a call with an unknown outcome. */
  readonly outcomeUnknown: number;
  /** Reviews that the person may decide now, among the 1,000 open reviews that were requested first. */
  readonly reviewsForMe: number;
  /** All open reviews. */
  readonly reviewsOpen: number;
  /** Open reviews that expire within 24 hours, or have expired and are not closed yet. */
  readonly reviewsExpiringIn24h: number;
  /** Runs that were started on the days of the summary and failed within the last 24 hours, without cancelled ones. */
  readonly failedLast24h: number;
  /** Connections over which nothing is sent until a person does something, and failing ones, among the first 1,000 by id. */
  readonly connectionsFailing: number;
  /**
   * Active webhooks that are failing, and webhooks that the service deactivated because of their receivers, among the
   * first 1,000 by id.
   */
  readonly webhooksFailing: number;
}

/** An environment in numbers. */
export interface EnvironmentSummary {
  /** When runs and reviews were counted, in milliseconds since the epoch. */
  readonly atMs: number;
  /** What calls for a person. */
  readonly attention: SummaryAttention;
  /** All runs that have not ended. */
  readonly runs: Pick<RunTally, "running" | "awaitingReview">;
  /** The last seven days in UTC, today last, with the runs that were started on each. */
  readonly days: readonly SummaryDay[];
  /**
   * Procedures with a run of these days or an open review: at most 20, those with the highest sum of completed runs,
   * failed runs and open reviews first.
   */
  readonly procedures: readonly SummarizedProcedure[];
}

/** The runs that were started on one day. */
export interface SummaryDay extends Pick<EndedRuns, "completed" | "failed"> {
  /** Beginning of the day in UTC, in milliseconds since the epoch. */
  readonly startMs: number;
}

/** A procedure in numbers, with its name. */
export interface SummarizedProcedure extends Pick<EndedRuns, "completed" | "failed"> {
  /** Identifier of the procedure. */
  readonly procedureId: string;
  /** The name in the newest version. */
  readonly name: string;
  /** Open reviews of its runs. */
  readonly openReviews: number;
}

/** The runs and reviews of a procedure in numbers. */
export interface ProcedureNumbers {
  /** Identifier of the procedure. */
  readonly procedureId: string;
  /** Open reviews of its runs. */
  readonly openReviews: number;
  /** Its runs that were started on the last seven days in UTC, today included. Cancelled runs are not counted. */
  readonly last7Days: Pick<EndedRuns, "completed" | "failed">;
  /** Start of its newest run, in milliseconds since the epoch. Absent if it has none. */
  readonly lastRunAtMs?: number;
}

/** Environments in numbers. */
export interface Summary {
  /** The numbers of an environment, for a person. */
  read(request: { readonly environment: Environment; readonly by: Principal }): Promise<EnvironmentSummary>;
  /** The numbers of these procedures in an environment, in the same order. */
  ofProcedures(request: {
    readonly environment: Environment;
    readonly procedureIds: readonly string[];
  }): Promise<readonly ProcedureNumbers[]>;
}

export interface SummaryPorts {
  readonly storage: Pick<Storage, "procedures" | "reviews" | "runs">;
  readonly workspace: string;
  readonly clock: Pick<Clock, "now" | "monotonic">;
  readonly reviews: Pick<Reviews, "list">;
  readonly connections: Pick<Connections, "list">;
  readonly countFailingWebhooks: (environment: Environment) => Promise<number>;
}

interface Place {
  readonly environment: Environment;
}

interface ForPerson extends Place {
  readonly by: Omit<Principal, "isRevoked">;
}

interface Tallies {
  readonly atMs: number;
  readonly dayStartsMs: readonly number[];
  readonly runs: RunTally;
  readonly reviews: ReviewTally;
  readonly procedures: ReadonlyMap<string, ProcedureNumbers>;
  readonly busiest: readonly SummarizedProcedure[];
}

const dayMs = 24 * 3_600_000;
const shownProcedures = 20;
const examinedReviews = 1_000;
const examinedConnections = 1_000;
const connectionsAtOnce = 100;

export function createSummary(ports: SummaryPorts): Summary {
  const { storage, workspace, clock } = ports;
  const scopeOf = (environment: Environment): Scope => ({ workspace, environment });

  const talliesOf = kept(clock, async ({ environment }: Place): Promise<Tallies> => {
    const atMs = clock.now();
    const dayStartsMs = lastDays(atMs);
    const scope = scopeOf(environment);
    const { failedSinceMs } = attentionAt(atMs);
    const runs = await storage.runs.tally({ scope, sinceMs: failedSinceMs, dayStartsMs });
    const reviews = await storage.reviews.tally({ scope, expiresBeforeMs: atMs + dayMs });
    const procedures = numbersOf(runs, reviews);
    const busiest = await Promise.all(busiestOf(procedures).map(named));
    return { atMs, dayStartsMs, runs, reviews, procedures, busiest };
  });

  const named = async ({ procedureId, last7Days, openReviews }: ProcedureNumbers): Promise<SummarizedProcedure> => {
    const { items } = await storage.procedures.versions({ workspace, procedureId, limit: 1 });
    return { procedureId, name: items[0]?.name ?? procedureId, ...last7Days, openReviews };
  };

  /** Many reviews are examined, and their runs are read for `excludeApproversOf`. */
  const decidableOf = kept(clock, (request: ForPerson) => countDecidable(ports.reviews, request), rightsOf);

  const failingOf = kept(clock, async ({ environment }: Place) => ({
    connections: await countFailingConnections(ports.connections, environment),
    webhooks: await ports.countFailingWebhooks(environment),
  }));

  return {
    read: async ({ environment, by }) => {
      // The callers that share a count may have several keys and sessions: the end of one is not the end of all.
      const { isRevoked, ...person } = by;
      const [{ atMs, dayStartsMs, runs, reviews, busiest }, failing, reviewsForMe] = await Promise.all([
        talliesOf({ environment }),
        failingOf({ environment }),
        decidableOf({ environment, by: person }),
      ]);
      refuseRevoked({ isRevoked });
      return {
        atMs,
        attention: {
          outcomeUnknown: reviews.kinds.find(({ kind }) => kind === "outcome_unknown")?.open ?? 0,
          reviewsForMe,
          reviewsOpen: reviews.open,
          reviewsExpiringIn24h: reviews.expiring,
          failedLast24h: runs.failedSince,
          connectionsFailing: failing.connections,
          webhooksFailing: failing.webhooks,
        },
        runs: { running: runs.running, awaitingReview: runs.awaitingReview },
        days: runs.days.map(({ completed, failed }, day) => ({ startMs: dayStartsMs[day] ?? atMs, completed, failed })),
        procedures: busiest,
      };
    },

    ofProcedures: async ({ environment, procedureIds }) => {
      if (procedureIds.length === 0) return [];
      const { procedures } = await talliesOf({ environment });
      return procedureIds.map((procedureId) => procedures.get(procedureId) ?? noNumbers(procedureId));
    },
  };
}

/** The procedures with the most runs and open reviews. Pure. */
function busiestOf(procedures: ReadonlyMap<string, ProcedureNumbers>): readonly ProcedureNumbers[] {
  const weightOf = ({ last7Days: { completed, failed }, openReviews }: ProcedureNumbers): number =>
    completed + failed + openReviews;
  return [...procedures.values()]
    .filter((numbers) => weightOf(numbers) > 0)
    .sort((a, b) => weightOf(b) - weightOf(a) || (a.procedureId < b.procedureId ? -1 : 1))
    .slice(0, shownProcedures);
}

function numbersOf(runs: RunTally, reviews: ReviewTally): ReadonlyMap<string, ProcedureNumbers> {
  const numbers = new Map<string, ProcedureNumbers>();
  for (const { procedureId, completed, failed, newestAtMs } of runs.procedures) {
    numbers.set(procedureId, {
      procedureId,
      openReviews: 0,
      last7Days: { completed, failed },
      lastRunAtMs: newestAtMs,
    });
  }
  for (const { procedureId, open } of reviews.procedures) {
    numbers.set(procedureId, { ...(numbers.get(procedureId) ?? noNumbers(procedureId)), openReviews: open });
  }
  return numbers;
}

function noNumbers(procedureId: string): ProcedureNumbers {
  return { procedureId, openReviews: 0, last7Days: { completed: 0, failed: 0 } };
}

/** Names everything on which the right to decide a review depends, apart from the review. */
function rightsOf({ by }: ForPerson): string {
  const { person, environment, permissions, roles = [] } = by;
  const names = [...new Set(roles.map(normalName))].sort();
  return JSON.stringify([normalName(person), environment ?? "", permissions?.includes("review") ?? true, names]);
}

async function countDecidable(reviews: Pick<Reviews, "list">, { environment, by }: ForPerson): Promise<number> {
  if (by.permissions?.includes("review") === false) return 0;
  const query = { environment, status: "open", decidableBy: by, limit: maxExaminedReviews } as const;
  let count = 0;
  let cursor: string | undefined;
  for (let examined = 0; examined < examinedReviews; examined += maxExaminedReviews) {
    const page = await reviews.list({ ...query, ...(cursor !== undefined && { cursor }) });
    count += page.items.length;
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  return count;
}

async function countFailingConnections(
  connections: Pick<Connections, "list">,
  environment: Environment,
): Promise<number> {
  let count = 0;
  let cursor: string | undefined;
  for (let examined = 0; examined < examinedConnections; examined += connectionsAtOnce) {
    const request = { environment, limit: connectionsAtOnce, ...(cursor !== undefined && { cursor }) };
    const page = await connections.list(request);
    count += page.items.filter(({ health }) => isInTrouble(health)).length;
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  return count;
}
