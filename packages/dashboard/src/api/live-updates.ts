/*
 * The one stream of changes of a tab. It tells what to read again, never the state itself, and is closed while the tab is
 * hidden. A connection that is lost, or silent for longer than a heartbeat, is opened again at the same place.
 */
import { serviceAddress } from "./address.ts";
import { createEventReader, type StreamedEvent } from "./event-stream.ts";
import type { Environment } from "./models.ts";
import type { ChangedKind } from "./query-keys.ts";

/** A change to read again; `resync`: everything that is shown. */
export type LiveChange = { readonly kind: ChangedKind; readonly id?: string } | { readonly kind: "resync" };

export type LiveState =
  | { readonly kind: "up_to_date" }
  | { readonly kind: "reconnecting" }
  | { readonly kind: "out_of_date"; readonly sinceMs: number }
  /** The person does not reach the environment any more. */
  | { readonly kind: "refused" };

export interface LiveUpdatesOptions {
  readonly environment: Environment;
  /** The first stream has opened: answers from before may be outdated. */
  readonly onOpen: () => void;
  readonly onChanges: (changes: readonly LiveChange[]) => void;
  readonly onState: (state: LiveState) => void;
  /** The session has ended. */
  readonly onSignedOut: () => void;
}

/** Changes within this time are one refresh. */
const collectMs = 300;
/** The service sends a heartbeat each 15 s. */
const silenceMs = 40_000;
/** Reconnecting for longer than this is shown as out of date. */
const patienceMs = 5_000;
const firstRetryMs = 1_000;
const longestRetryMs = 15_000;

/** How a connection ended, and when to open the next one. */
interface Ended {
  readonly kind: "signed_out" | "refused" | "hidden" | "lost";
  readonly retryAfterMs?: number;
}

/** Follows the changes of an environment until the returned function is called. */
export function followChanges(options: LiveUpdatesOptions): () => void {
  const stopped = new AbortController();
  void follow(options, stopped.signal);
  return () => stopped.abort();
}

async function follow(
  { environment, onOpen, onChanges, onState, onSignedOut }: LiveUpdatesOptions,
  stopped: AbortSignal,
): Promise<void> {
  const collect = collector(onChanges, stopped);
  let lastId: string | undefined;
  let hasOpened = false;
  let failures = 0;
  let lostAtMs: number | undefined;
  let heardAtMs = Date.now();
  let patience: ReturnType<typeof setTimeout> | undefined;
  stopped.addEventListener("abort", () => clearTimeout(patience));

  const lost = (): void => {
    lostAtMs ??= Date.now();
    // A connection may have been dead for a while before its silence was noticed.
    const outOfDate = { kind: "out_of_date", sinceMs: heardAtMs } as const;
    onState(Date.now() - lostAtMs >= patienceMs ? outOfDate : { kind: "reconnecting" });
    patience ??= setTimeout(() => onState(outOfDate), patienceMs);
  };

  while (!stopped.aborted) {
    await becomesVisible(stopped);
    const ended = await connect(environment, lastId, stopped, {
      onOpen: () => {
        failures = 0;
        lostAtMs = undefined;
        clearTimeout(patience);
        patience = undefined;
        onState({ kind: "up_to_date" });
        if (!hasOpened) onOpen();
        hasOpened = true;
      },
      onHeard: () => {
        heardAtMs = Date.now();
      },
      onEvent: ({ id, event, data }) => {
        lastId = id ?? lastId;
        if (event === "changed" && data !== undefined) collect(JSON.parse(data) as LiveChange);
      },
    });
    if (stopped.aborted) return;
    if (ended.kind === "signed_out") {
      onSignedOut();
      return;
    }
    if (ended.kind === "refused") {
      clearTimeout(patience);
      onState({ kind: "refused" });
      return;
    }
    lost();
    if (ended.kind === "hidden") continue;
    const backoffMs = Math.min(longestRetryMs, firstRetryMs * 2 ** failures) * (0.5 + Math.random() / 2);
    failures += 1;
    await pause(ended.retryAfterMs ?? backoffMs, stopped);
  }
}

interface ConnectionListener {
  readonly onOpen: () => void;
  readonly onHeard: () => void;
  readonly onEvent: (event: StreamedEvent) => void;
}

/** Reads one stream until it ends. It begins after the event `lastId`. */
async function connect(
  environment: Environment,
  lastId: string | undefined,
  stopped: AbortSignal,
  { onOpen, onHeard, onEvent }: ConnectionListener,
): Promise<Ended> {
  const closed = new AbortController();
  const onVisibility = (): void => {
    if (document.hidden) closed.abort();
  };
  let silence: ReturnType<typeof setTimeout> | undefined;
  const heard = (): void => {
    clearTimeout(silence);
    silence = setTimeout(() => closed.abort(), silenceMs);
  };
  const onOffline = (): void => closed.abort();
  document.addEventListener("visibilitychange", onVisibility);
  addEventListener("offline", onOffline);
  heard();
  try {
    const query = new URLSearchParams({ environment, ...(lastId !== undefined && { after: lastId }) });
    const response = await fetch(`${serviceAddress}/api/v1/events?${query.toString()}`, {
      headers: { Accept: "text/event-stream" },
      cache: "no-store",
      signal: AbortSignal.any([closed.signal, stopped]),
    });
    if (response.status === 401) return { kind: "signed_out" };
    if (response.status === 403) return { kind: "refused" };
    if (!response.ok || response.body === null) {
      const seconds = Number(response.headers.get("Retry-After") ?? Number.NaN);
      return { kind: "lost", ...(Number.isFinite(seconds) && { retryAfterMs: seconds * 1_000 }) };
    }
    onHeard();
    onOpen();
    const read = createEventReader(onEvent);
    const pieces = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let piece = await pieces.read(); !piece.done; piece = await pieces.read()) {
      heard();
      onHeard();
      read(piece.value);
    }
  } catch {
    // The network failed, the stream was silent for too long, or the tab is hidden.
  } finally {
    clearTimeout(silence);
    document.removeEventListener("visibilitychange", onVisibility);
    removeEventListener("offline", onOffline);
  }
  return { kind: document.hidden ? "hidden" : "lost" };
}

/** Joins changes that come shortly after each other. */
function collector(onChanges: (changes: readonly LiveChange[]) => void, stopped: AbortSignal) {
  let changes: LiveChange[] = [];
  return (change: LiveChange): void => {
    changes.push(change);
    if (changes.length > 1) return;
    setTimeout(() => {
      const all = changes;
      changes = [];
      if (!stopped.aborted) onChanges(all);
    }, collectMs);
  };
}

async function becomesVisible(stopped: AbortSignal): Promise<void> {
  if (!document.hidden) return;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const done = (): void => resolve(undefined);
  document.addEventListener("visibilitychange", done);
  stopped.addEventListener("abort", done);
  await promise;
  document.removeEventListener("visibilitychange", done);
  stopped.removeEventListener("abort", done);
}

/** Waits, but not longer than until the network is back. */
async function pause(ms: number, stopped: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const done = (): void => resolve(undefined);
  const timer = setTimeout(done, ms);
  addEventListener("online", done);
  stopped.addEventListener("abort", done);
  await promise;
  clearTimeout(timer);
  removeEventListener("online", done);
  stopped.removeEventListener("abort", done);
}
