import { environments } from "@procedo/contract";
import type { Storage } from "@procedo/storage";
import { sleep, type Clock } from "../ports/clock.ts";
import { errorText, type Log } from "../ports/log.ts";
import type { AuditLog } from "./audit-log.ts";
import {
  checkpointAction,
  checkpointDetails,
  readCheckpoint,
  type CheckpointPart,
  type ReadCheckpoint,
} from "./checkpoint.ts";
import { partsOf } from "./checkpoint-parts.ts";
import type { AuditSigner } from "./signature.ts";

export interface CheckpointPorts {
  readonly storage: Pick<Storage, "audit" | "records" | "runs">;
  readonly workspace: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly audit: AuditLog;
  readonly signer: AuditSigner;
}

export interface CheckpointSettings {
  /** Identifies the engine that wrote a checkpoint. */
  readonly workerId: string;
  /** Interval between two checkpoints, in milliseconds. Any engine of the workspace may write the next one. */
  readonly checkpointMs: number;
}

/** Periodically writes signed lists of ended runs into the workspace's chain. */
export interface Checkpoints {
  start(): void;
  /**
   * Ends a checkpoint that is being written after the current page or entry. The chain then marks it as unfinished, and
   * the next engine that starts writes it again.
   */
  stop(): Promise<void>;
  /** The latest checkpoint, finished or not. */
  latest(): Promise<ReadCheckpoint | undefined>;
}

/**
 * A run is listed when it ended at least this long ago, in milliseconds. Its last row contains its end time and is
 * stored later, possibly by a process whose clock is behind.
 */
export const settleMs = 10 * 60_000;

/** A checkpoint of several entries without progress for this long was abandoned, and is written again. */
const abandonedMs = 60_000;

/**
 * Pause after each page of heads. Runs get nine tenths of the time, and a million heads are listed within a minute or
 * two.
 */
const pauseMs = 5;

/** Delay after a failure of storage. */
const retryMs = 30_000;

/**
 * Points to the chain entry of the latest checkpoint. Each checkpoint changes it, so that only one engine writes at a
 * time.
 */
const latestRecord = { kind: "checkpoint", id: "latest" } as const;

export function createCheckpoints(ports: CheckpointPorts, settings: CheckpointSettings): Checkpoints {
  const { storage, workspace, clock, log, signer } = ports;
  const { checkpointMs, workerId } = settings;
  let running: AbortController | undefined;
  let cancelTimer = (): void => {};
  let underWay = Promise.resolve();

  const findLatest = async (): Promise<{
    readonly revision: number;
    readonly checkpoint: ReadCheckpoint | undefined;
  }> => {
    const row = await storage.records.get({ workspace, ...latestRecord });
    if (row === undefined) return { revision: 0, checkpoint: undefined };
    const seq = Number(row.body);
    const [entry] = await storage.audit.list({ workspace, afterSeq: seq - 1, limit: 1 });
    const checkpoint = entry && readCheckpoint(entry, workspace, signer.publicKey);
    if (typeof checkpoint === "object") return { revision: row.revision, checkpoint };
    // The record is not signed; the entry is. An entry that cannot be verified is skipped, and all runs are listed
    // again.
    log.error("The latest checkpoint cannot be trusted; all ended runs are listed again.", { workspace, seq });
    return { revision: row.revision, checkpoint: undefined };
  };

  /** Returns the revision for writing the next part; `undefined` when another engine is writing a checkpoint. */
  const writePart = async (part: CheckpointPart, ifRevision: number): Promise<number | undefined> => {
    const result = await ports.audit.record(
      (place) => ({
        action: checkpointAction,
        by: "procedo",
        via: workerId,
        subject: workspace,
        details: checkpointDetails(signer, workspace, clock.now(), part, place),
      }),
      (audit) => {
        const record = { workspace, ...latestRecord, environment: undefined, body: String(audit.seq) };
        return storage.records.put({ record: { ...record, uniqueKeys: [], keys: [] }, ifRevision, audit });
      },
    );
    return result.status === "stored" ? result.revision : undefined;
  };

  const dueInMs = (sinceMs: number | undefined, usualMs: number): number => {
    if (sinceMs === undefined) return usualMs;
    const waitMs = Math.max(0, sinceMs + usualMs - clock.now());
    // A wall clock that was set back must not delay the next checkpoint by the same amount.
    return waitMs > 2 * usualMs ? 0 : waitMs;
  };

  /** The first checkpoint is due one interval after the end of the first run. */
  const firstEndedAtMs = async (): Promise<number | undefined> => {
    const pages = await Promise.all(
      environments.map((environment) => storage.runs.heads({ scope: { workspace, environment }, limit: 1 })),
    );
    const times = pages.flatMap(({ items }) => items.map(({ endedAtMs }) => endedAtMs));
    return times.length === 0 ? undefined : Math.min(...times);
  };

  const soon = (): Promise<void> => new Promise((resolve) => clock.soon(resolve));

  /** Writes a checkpoint when one is due. Returns the number of milliseconds until the next one. */
  const writeWhenDue = async (signal: AbortSignal): Promise<number> => {
    const { revision, checkpoint } = await findLatest();
    const sinceMs = checkpoint === undefined ? await firstEndedAtMs() : checkpoint.statement.atMs;
    const waitMs = dueInMs(sinceMs, isWhole(checkpoint) ? checkpointMs : Math.min(abandonedMs, checkpointMs));
    if (waitMs > 0) return waitMs;
    const fromMs = coveredUntil(checkpoint);
    const window = { fromMs, toMs: Math.max(fromMs, clock.now() - settleMs) };
    const pace = { pause: () => sleep(clock, pauseMs, signal), signal };
    let next: number | undefined = revision;
    let listed = 0;
    for await (const part of partsOf(storage.runs, workspace, window, pace)) {
      // Writing an entry takes a millisecond or two, and is kept apart from reading a page.
      await soon();
      if (signal.aborted && !part.last) break;
      next = await writePart(part, next);
      // The engine that wrote first determines the time of the next checkpoint.
      if (next === undefined) return 0;
      listed += count(part);
      if (part.last) log.info("A checkpoint was written.", { workspace, runs: listed });
    }
    return checkpointMs;
  };

  const tick = async (signal: AbortSignal): Promise<void> => {
    let waitMs = retryMs;
    try {
      do waitMs = await writeWhenDue(signal);
      while (waitMs === 0 && !signal.aborted);
    } catch (error) {
      log.warn("A checkpoint could not be written; trying again.", { workspace, error: errorText(error) });
    }
    if (!signal.aborted) cancelTimer = clock.after(waitMs, () => run(signal));
  };
  const run = (signal: AbortSignal): void => {
    underWay = tick(signal);
  };

  return {
    start: () => {
      if (running !== undefined) return;
      running = new AbortController();
      run(running.signal);
    },
    stop: async () => {
      running?.abort();
      running = undefined;
      cancelTimer();
      await underWay;
    },
    latest: async () => (await findLatest()).checkpoint,
  };
}

function isWhole(checkpoint: ReadCheckpoint | undefined): boolean {
  return checkpoint === undefined || checkpoint.statement.last;
}

/** The time until which all ended runs are listed. */
function coveredUntil(checkpoint: ReadCheckpoint | undefined): number {
  if (checkpoint === undefined) return 0;
  return checkpoint.statement.last ? checkpoint.statement.toMs : checkpoint.statement.fromMs;
}

function count({ heads }: CheckpointPart): number {
  return heads.sandbox.length + heads.live.length;
}
