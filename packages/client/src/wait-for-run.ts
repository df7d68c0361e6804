import { ProcedoError, type Run } from "@procedo/contract";
import type { Runtime } from "./runtime.ts";

/** How long to wait for a run, and whether to wait through reviews. */
export interface WaitOptions {
  /**
   * How long to wait, in milliseconds. Afterwards the run is returned in its current state, and continues.
   *
   * @defaultValue no limit
   */
  readonly timeoutMs?: number;
  /**
   * Whether to keep waiting while people decide, which may take days.
   *
   * @defaultValue `false`: a run that waits for a decision is returned, `awaiting_review`
   */
  readonly waitThroughReviews?: boolean;
  /** Ends the wait early; the run continues. @defaultValue none */
  readonly signal?: AbortSignal;
}

const firstPauseMs = 200;
const maxPauseMs = 5_000;
const maxReviewPauseMs = 30_000;

/** Polls, at growing intervals, until the run has ended or waits for a decision. */
export async function waitForRun(
  read: () => Promise<Run>,
  { timeoutMs = Infinity, waitThroughReviews = false, signal }: WaitOptions,
  runtime: Runtime,
): Promise<Run> {
  const endMs = runtime.now() + timeoutMs;
  let run = await read();
  let pauseMs = firstPauseMs;
  for (;;) {
    const leftMs = endMs - runtime.now();
    if (isSettled(run, waitThroughReviews) || leftMs <= 0) return run;
    await runtime.sleep(Math.min(pauseMs, leftMs), signal);
    const next = await unlessAway(read);
    // A run that moved may move again soon.
    pauseMs = next !== undefined && next.status !== run.status ? firstPauseMs : longer(pauseMs, run);
    run = next ?? run;
  }
}

function isSettled(run: Run, waitThroughReviews: boolean): boolean {
  if (run.status === "completed" || run.status === "failed") return true;
  // A run without an open review has been decided and is about to continue.
  return run.status === "awaiting_review" && !waitThroughReviews && run.review !== undefined;
}

const longer = (pauseMs: number, { status }: Run): number =>
  Math.min(pauseMs * 1.5, status === "awaiting_review" ? maxReviewPauseMs : maxPauseMs);

/** The run; `undefined` while the service is away: it was there, and the run outlives a restart. */
async function unlessAway(read: () => Promise<Run>): Promise<Run | undefined> {
  try {
    return await read();
  } catch (error) {
    if (ProcedoError.isError(error) && error.retryable) return undefined;
    throw error;
  }
}
