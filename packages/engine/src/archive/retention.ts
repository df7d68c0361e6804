/*
 * Moves runs that ended long ago out of storage, and takes care of storage that was restored from a copy.
 *
 *   retention.ts        archives in bounded transactions: export, then delete
 *   archive-file.ts     one file of exports
 *   firing-lifetime.ts  how long events and firings are kept
 *   after-restore.ts    ends what was pending in a restored copy: deliveries, calls and firings
 *
 * `audit/archive-fact.ts` describes the entry for an archived file in the workspace's chain.
 */
import { environments, ProcedoError } from "@procedo/contract";
import type { NewStub, Page, RunHead, Scope, Storage } from "@procedo/storage";
import { actor, authorize, type Principal } from "../access/principal.ts";
import type { Audit } from "../audit/audit.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import { sleep, type Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Log } from "../ports/log.ts";
import { archiveAction, archiveDetails } from "../audit/archive-fact.ts";
import { firingLifetime } from "./firing-lifetime.ts";
import { writeArchiveFile, type ArchiveFile, type KeptRun, type RunArchive } from "./archive-file.ts";

/** Keeps storage from growing without bound. */
export interface Retention {
  /**
   * Moves runs that ended long ago into an archive: the signed export of a run is durable there before the run is
   * deleted here. The status, times, output and error of an archived run stay, and so does the end of its journal; its
   * steps, reviews and webhook deliveries are deleted. Also removes expired idempotency keys, old test deliveries, sums
   * of runs and days to which no amount can be added any more, ended sessions, failed sign-ins after a day, contents of
   * events after 30 days, and firings after 400.
   *
   * Works in small transactions with pauses in between, so that other users of the storage can proceed. If it ends
   * early, runs that were written and not deleted yet are written again the next time.
   *
   * @throws ProcedoError `permission_denied`, `invalid_input`, `storage_unavailable`; errors of the archive
   */
  archive(request: ArchiveRequest): Promise<ArchiveReport>;
}

/** Which runs to archive, where to, and on whose behalf. */
export interface ArchiveRequest {
  /** Runs that ended at least this long ago, in milliseconds; from 0 to 100 years. */
  readonly olderThanMs: number;
  /** The archive that receives the runs. */
  readonly to: RunArchive;
  /** The person or key that archives. Requires the permission `manage` in both environments. */
  readonly by: Principal;
  /** Pause after each transaction, in milliseconds; 0 to 60000. @defaultValue 20 */
  readonly pauseMs?: number;
  /** Ends the archiving after the transaction under way. */
  readonly signal?: AbortSignal;
}

/** The outcome of one archiving: files, numbers, and the runs that were not archived. */
export interface ArchiveReport {
  /** Number of runs that were archived. */
  readonly runs: number;
  /** Names of the files, in the order in which they were written. */
  readonly files: readonly string[];
  /** Number of expired keys, old test deliveries, unused sums, ended sessions, failed sign-ins, contents of events and firings. */
  readonly removed: number;
  /** The first 1,000 runs that are old enough but were not archived, because their record cannot be verified. */
  readonly kept: readonly KeptRun[];
}

export interface RetentionPorts {
  readonly storage: Pick<Storage, "retention" | "sessions" | "triggers">;
  readonly workspace: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly auditLog: AuditLog;
  readonly audit: Pick<Audit, "exportRun">;
}

/** Runs in a file. */
const runsInFile = 1_000;

/** Runs that one transaction deletes. */
const runsAtOnce = 50;

const removedAtOnce = 500;

const maxKept = 1_000;

const dayMs = 86_400_000;

/** How long failed sign-ins are kept after the last one: they delay the next attempt by a minute at most. */
const failuresKeptMs = dayMs;

/** Minimum time that a sum is kept after the last call that counted: longer than the longest day. */
const sumsKeptMs = 2 * dayMs;

export function createRetention(ports: RetentionPorts): Retention {
  const { storage, workspace, clock, log } = ports;

  return {
    archive: async (request) => {
      for (const environment of environments) authorize(request.by, "manage", environment);
      const beforeMs = clock.now() - whole("olderThanMs", request.olderThanMs, 36_525 * dayMs) + 1;
      const pause = pauseOf(request);
      const report = { runs: 0, files: [] as string[], removed: 0, kept: [] as KeptRun[] };
      const keep = (run: KeptRun): void => {
        log.error("A run was not archived.", { ...run });
        if (report.kept.length < maxKept) report.kept.push(run);
      };
      for (const environment of environments) {
        const scope = { workspace, environment };
        for await (const file of writtenFiles(scope, beforeMs, request.to, keep)) {
          report.files.push(file.name);
          for (let from = 0; from < file.runs.length; from += runsAtOnce) {
            report.runs += await remove(scope, file, file.runs.slice(from, from + runsAtOnce), request.by);
            await pause();
          }
        }
        const budgetsBeforeMs = Math.min(beforeMs, clock.now() - sumsKeptMs);
        const expired = { scope, beforeMs, budgetsBeforeMs, limit: removedAtOnce };
        report.removed += await sweep(() => storage.retention.removeExpired(expired), pause);
        const firings = { scope, ...firingLifetime, limit: removedAtOnce };
        report.removed += await sweep(() => storage.triggers.removeExpired(firings), pause);
      }
      const ended = { beforeMs: clock.now() - failuresKeptMs, limit: removedAtOnce };
      report.removed += await sweep(() => storage.sessions.sweep(ended), pause);
      log.info("Runs were archived.", { workspace, runs: report.runs, files: report.files.length });
      return report;
    },
  };

  /** Writes the archive's files. A file is durable when it is yielded. */
  async function* writtenFiles(
    scope: Scope,
    endedBeforeMs: number,
    to: RunArchive,
    keep: (run: KeptRun) => void,
  ): AsyncGenerator<ArchiveFile> {
    const { environment } = scope;
    const query = { scope, endedBeforeMs, limit: runsInFile };
    let cursor: string | undefined;
    do {
      const page: Page<RunHead> = await storage.retention.archivable(
        cursor === undefined ? query : { ...query, cursor },
      );
      for (let heads = page.items; heads.length > 0;) {
        const name = `${day(heads[0])}-${environment}-${ports.ids("arc")}.jsonl`;
        const { file, rest } = await writeArchiveFile(ports.audit, { environment, heads, name, to, keep, pause: soon });
        if (file !== undefined) yield file;
        heads = rest;
      }
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }

  /** Deletes runs that the archive holds, except runs that were changed or archived by another process meanwhile. */
  async function remove(
    scope: Scope,
    file: ArchiveFile,
    runs: readonly (RunHead & NewStub)[],
    by: Principal,
  ): Promise<number> {
    if (runs.length === 0) return 0;
    const details = archiveDetails(scope.environment, file, runs);
    const result = await ports.auditLog.record(
      { action: archiveAction, ...actor(by), subject: file.name, details },
      (audit) => storage.retention.archive({ scope, runs, audit }),
    );
    if (result.status === "archived") return runs.length;
    const unchanged = runs.filter(({ runId }) => !result.runIds.includes(runId));
    return await remove(scope, file, unchanged, by);
  }

  async function sweep(removeSome: () => Promise<number>, pause: () => Promise<void>): Promise<number> {
    let removed = 0;
    for (;;) {
      const count = await removeSome();
      if (count === 0) return removed;
      removed += count;
      await pause();
    }
  }

  function pauseOf({ pauseMs, signal }: ArchiveRequest): () => Promise<void> {
    const waitMs = whole("pauseMs", pauseMs ?? 20, 60_000);
    return () => {
      signal?.throwIfAborted();
      return waitMs === 0 ? soon() : sleep(clock, waitMs, signal);
    };
  }

  function soon(): Promise<void> {
    return new Promise((resolve) => clock.soon(resolve));
  }
}

/** The day on which the first of a file's runs ended. Files sort by this day. */
function day(head: RunHead | undefined): string {
  return new Date(head?.endedAtMs ?? 0).toISOString().slice(0, 10);
}

function whole(name: string, value: number, most: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= most) return value;
  const message = `The value of ${name} is ${String(value)}. Give a whole number from 0 to ${most}.`;
  throw new ProcedoError("invalid_input", message);
}
