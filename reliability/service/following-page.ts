import { createClient, ProcedoError, type Change, type Client } from "@procedo/client";
import type { ReviewSummary } from "@procedo/contract";
import { setTimeout as pause } from "node:timers/promises";

/** Runs with their status, or reviews with their status and approvals, by id. */
export type Shown = ReadonlyMap<string, string>;

/** A page that shows the runs and reviews of an environment. It reads everything once, and then what changes name. */
export interface FollowingPage {
  /** Reads the lists beside the page. */
  readonly client: Client;
  readonly runs: Shown;
  readonly reviews: Shown;
  /** The ids in changes so far. */
  readonly named: ReadonlySet<string>;
  readonly counts: { readonly changes: number; readonly resyncs: number; readonly streams: number };
  /** Cuts the stream. The next one is opened once the returned function was called. */
  cut(): () => void;
  /** Ends the page. @throws Error if the service answered it wrongly */
  close(): Promise<void>;
}

const retryMs = 100;

/** @param url - the address of the newest process */
export function openPage(apiKey: string, url: () => Promise<string>): FollowingPage {
  const runs = new Map<string, string>();
  const reviews = new Map<string, string>();
  const named = new Set<string>();
  const counts = { changes: 0, resyncs: 0, streams: 0 };
  const closing = new AbortController();
  let cutting = new AbortController();
  let allowed = Promise.resolve();

  /** Each process has another address. */
  const moved: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    if (!pathname.endsWith("/events")) return fetch(new Request((await url()) + pathname + search, request));
    await allowed;
    counts.streams += 1;
    const signal = AbortSignal.any([request.signal, cutting.signal]);
    return fetch(new Request((await url()) + pathname + search, { headers: request.headers, signal }));
  };
  const client = createClient({ apiKey, runnerUrl: "http://service.invalid", fetch: moved });

  const readRuns = async (): Promise<void> => {
    for (const [runId, status] of await listRuns(client)) runs.set(runId, status);
  };
  const readReviews = async (): Promise<void> => {
    for (const [reviewId, state] of await listReviews(client)) reviews.set(reviewId, state);
  };
  const read = async ({ kind, id }: Change): Promise<void> => {
    if (kind === "resync") await Promise.all([readRuns(), readReviews()]);
    if (kind === "run" && id === undefined) await readRuns();
    if (kind === "run" && id !== undefined) runs.set(id, (await client.runs.get(id)).status);
    if (kind === "review" && id === undefined) await readReviews();
    if (kind === "review" && id !== undefined) reviews.set(id, stateOf(await client.reviews.get(id)));
  };
  /** A page reads again until it has an answer: the stream does not repeat the change. */
  const readWell = async (change: Change): Promise<void> => {
    while (!closing.signal.aborted) {
      try {
        return await read(change);
      } catch (error) {
        if (!ProcedoError.isError(error) || !error.retryable) throw error;
        await pause(retryMs);
      }
    }
  };
  const follow = async (): Promise<void> => {
    try {
      for await (const change of client.changes({ signal: closing.signal })) {
        counts.changes += 1;
        if (change.kind === "resync") counts.resyncs += 1;
        if (change.id !== undefined) named.add(change.id);
        await readWell(change);
      }
    } catch (error) {
      if (!closing.signal.aborted) throw error;
    }
  };
  const following = follow();
  // Awaited by `close`.
  following.catch(() => {});

  return {
    client,
    runs,
    reviews,
    named,
    counts,
    cut: () => {
      const again = Promise.withResolvers<void>();
      allowed = again.promise;
      cutting.abort();
      cutting = new AbortController();
      return again.resolve;
    },
    close: async () => {
      closing.abort();
      await following;
    },
  };
}

export async function listRuns(client: Client): Promise<Shown> {
  const listed = new Map<string, string>();
  for await (const { runId, status } of client.runs.all()) listed.set(runId, status);
  return listed;
}

export async function listReviews(client: Client): Promise<Shown> {
  const listed = new Map<string, string>();
  for await (const review of client.reviews.all()) listed.set(review.reviewId, stateOf(review));
  return listed;
}

/** Approvals change while a review stays open. */
function stateOf({ status, approvalsGiven }: Pick<ReviewSummary, "status" | "approvalsGiven">): string {
  return `${status} with ${approvalsGiven} approvals`;
}

/** The differences between a page and the lists, in words; empty if the page shows the present. */
export function differences(what: string, shown: Shown, listed: Shown): readonly string[] {
  const wrong = [...listed].filter(([id, status]) => shown.get(id) !== status);
  const unknown = [...shown].filter(([id]) => !listed.has(id));
  return [
    ...wrong.map(([id, status]) => `${what} ${id} is ${status}, and is shown as ${shown.get(id) ?? "nothing"}.`),
    ...unknown.map(([id, status]) => `${what} ${id} is shown as ${status}, and is not listed.`),
  ];
}
