import { ProcedoError } from "@procedo/contract";
import type { RunResult } from "@procedo/procedure";
import type { RunRow, Scope } from "@procedo/storage";
import type { Clock } from "../ports/clock.ts";
import { readOutput } from "./read-output.ts";
import type { PastPorts } from "../journal/read-past.ts";
import type { Rest, Waiters } from "./waiters.ts";

export interface WaitPorts extends PastPorts {
  readonly clock: Clock;
  readonly waiters: Waiters;
}

export interface WaitRequest {
  readonly scope: Scope;
  readonly runId: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Waits on while a person is asked. */
  readonly waitThroughReviews: boolean;
  /**
   * Makes the error for a run that does not exist. Given when nothing is known of the run: then storage is read at once,
   * after listening has begun, so that no rest falls in between.
   */
  readonly whenMissing?: () => Error;
}

/** Storage is read again so often in case that nothing told of a change. */
const rereadMs = 1_000;

/** Waits until a run rests; `undefined` when the time is over or the signal ends it. The run goes on either way. */
export function waitForOutcome(ports: WaitPorts, request: WaitRequest): Promise<Rest | undefined> {
  const { clock, waiters } = ports;
  const { runId, timeoutMs, signal } = request;
  return new Promise((resolve, reject) => {
    let over = false;
    let known = request.whenMissing === undefined;
    let unlisten = (): void => {};
    let cancelReread = (): void => {};
    let cancelDeadline = (): void => {};
    const finish = (rest: Rest | undefined): void => {
      if (over) return;
      over = true;
      unlisten();
      cancelReread();
      cancelDeadline();
      signal?.removeEventListener("abort", giveUp);
      resolve(rest);
    };
    const giveUp = (): void => finish(undefined);
    const counts = (rest: Rest): boolean => !(request.waitThroughReviews && rest.status === "awaiting_review");
    const listen = (): void => {
      unlisten = waiters.wait(runId, (rest) => {
        if (over) return;
        listen();
        if (rest === "changed") void read();
        else if (counts(rest)) finish(rest);
      });
    };
    const read = async (): Promise<void> => {
      cancelReread();
      try {
        const row = await ports.storage.runs.get(request);
        if (row === undefined && request.whenMissing !== undefined) throw request.whenMissing();
        known = true;
        const rest = await restOf(ports, row);
        if (rest !== undefined && counts(rest)) finish(rest);
      } catch (error) {
        if (!known || !ProcedoError.isError(error) || !error.retryable) {
          reject(error instanceof Error ? error : new Error(String(error)));
          giveUp();
        }
      }
      if (!over) cancelReread = clock.after(rereadMs, () => void read());
    };
    const begin = (): void => {
      if (over) return;
      if (signal?.aborted === true) return giveUp();
      cancelDeadline = clock.after(timeoutMs, giveUp);
      signal?.addEventListener("abort", giveUp, { once: true });
    };
    listen();
    if (known) {
      cancelReread = clock.after(rereadMs, () => void read());
      begin();
    } else {
      // However short the time is: what rests already is answered, and what does not exist is an error.
      void read().then(begin);
    }
  });
}

/** How the run of a row rests; `undefined` while it is being executed. */
async function restOf(ports: PastPorts, row: RunRow | undefined): Promise<Rest | undefined> {
  if (row === undefined || row.status === "running") return undefined;
  if (row.status === "awaiting_review") return { status: "awaiting_review" };
  const result: RunResult =
    row.status === "failed"
      ? { status: "failed", error: row.error ?? "" }
      : { status: "completed", output: await readOutput(ports, row) };
  return { status: row.status, result, atMs: row.endedAtMs ?? row.createdAtMs };
}
