import { ProcedoError } from "@procedo/contract";
import type { RunRow, Scope } from "@procedo/storage";
import type { Clock } from "../ports/clock.ts";
import type { PastPorts } from "../journal/read-past.ts";
import { readOutput } from "./read-output.ts";
import { endedOutcome, type RunOutcome } from "./run-outcome.ts";
import type { Waiters } from "./waiters.ts";

export interface WaitPorts extends PastPorts {
  readonly clock: Clock;
  readonly waiters: Waiters;
}

export interface WaitRequest {
  readonly scope: Scope;
  readonly runId: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Whether the wait continues while the run waits for a person. */
  readonly waitThroughReviews: boolean;
  /**
   * Set for a run that is being started: resolves to whether the run is durable. The timeout counts from then. The wait
   * misses no outcome, because it began before the run could end.
   */
  readonly starting?: Promise<boolean>;
  /**
   * Creates the error for a run that does not exist. Set when the caller does not know the run's state: storage is then
   * read once the wait listens, so that no outcome is missed.
   */
  readonly whenMissing?: () => Error;
}

/** Time between two reads of storage, in case a change was not announced. */
const rereadMs = 1_000;

/**
 * Waits until a run has ended or waits for a person. Resolves to `timeout` when the time is over, the signal aborts or
 * the run was not started. A started run continues in any case.
 */
export function waitForOutcome(ports: WaitPorts, request: WaitRequest): Promise<RunOutcome> {
  const { clock, waiters } = ports;
  const { runId, timeoutMs, signal, starting } = request;
  return new Promise((resolve, reject) => {
    let over = false;
    let known = request.whenMissing === undefined;
    let unlisten = (): void => {};
    let cancelReread = (): void => {};
    let cancelDeadline = (): void => {};
    const finish = (outcome: RunOutcome): void => {
      if (over) return;
      over = true;
      unlisten();
      cancelReread();
      cancelDeadline();
      signal?.removeEventListener("abort", giveUp);
      resolve(outcome);
    };
    const giveUp = (): void => finish({ runId, status: "timeout" });
    const counts = ({ status }: RunOutcome): boolean => !(request.waitThroughReviews && status === "awaiting_review");
    const listen = (): void => {
      unlisten = waiters.wait(runId, (outcome) => {
        if (over) return;
        listen();
        if (outcome === "changed") void read();
        else if (counts(outcome)) finish(outcome);
      });
    };
    const readLater = (): void => {
      if (!over) cancelReread = clock.after(rereadMs, () => void read());
    };
    const read = async (): Promise<void> => {
      cancelReread();
      try {
        const row = await ports.storage.runs.get(request);
        if (row === undefined && request.whenMissing !== undefined) throw request.whenMissing();
        known = true;
        const outcome = row === undefined ? undefined : await outcomeOf(ports, row);
        if (outcome !== undefined && counts(outcome)) finish(outcome);
      } catch (error) {
        if (!known || !ProcedoError.isError(error) || !error.retryable) {
          reject(error instanceof Error ? error : new Error(String(error)));
          giveUp();
        }
      }
      readLater();
    };
    const begin = (): void => {
      if (over) return;
      if (signal?.aborted === true) return giveUp();
      cancelDeadline = clock.after(timeoutMs, giveUp);
      signal?.addEventListener("abort", giveUp, { once: true });
    };
    listen();
    if (!known) {
      // Even with the shortest timeout, an existing outcome is returned and a missing run is an error.
      void read().then(begin);
    } else if (starting === undefined) {
      readLater();
      begin();
    } else {
      void starting.then((isDurable) => {
        if (!isDurable) return giveUp();
        readLater();
        begin();
      });
    }
  });
}

/** The outcome of a stored run; `undefined` while it is executed. */
async function outcomeOf(ports: PastPorts, row: RunRow): Promise<RunOutcome | undefined> {
  const { runId, status, endedAtMs = row.createdAtMs } = row;
  switch (status) {
    case "running":
      return undefined;
    case "awaiting_review":
      return { runId, status };
    case "failed":
      return endedOutcome(runId, { status, error: row.error ?? "" }, endedAtMs);
    case "completed":
      return endedOutcome(runId, { status, output: await readOutput(ports, row) }, endedAtMs);
  }
}
