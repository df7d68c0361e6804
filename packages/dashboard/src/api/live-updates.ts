/*
 * The one stream of changes of a tab. It tells what to read again, never the state itself, and is closed while nobody
 * looks at the tab.
 */
import type { ChangedKind } from "./query-keys.ts";
import { serviceAddress } from "./address.ts";
import type { Environment } from "./models.ts";

/** A change to read again; `resync`: everything that is shown. */
export type LiveChange = { readonly kind: ChangedKind; readonly id?: string } | { readonly kind: "resync" };

export type LiveState =
  | { readonly kind: "up_to_date" }
  | { readonly kind: "reconnecting" }
  | { readonly kind: "out_of_date"; readonly sinceMs: number };

export interface LiveUpdatesOptions {
  readonly environment: Environment;
  readonly onChanges: (changes: readonly LiveChange[]) => void;
  readonly onState: (state: LiveState) => void;
}

/** Changes within this time are one refresh. */
const collectMs = 300;
/** Reconnecting for longer than this is shown as out of date. */
const patienceMs = 5_000;
const reopenMs = 5_000;

/** Follows the changes of an environment until the returned function is called. */
export function followChanges({ environment, onChanges, onState }: LiveUpdatesOptions): () => void {
  let source: EventSource | undefined;
  let lastId: string | undefined;
  let lostAtMs: number | undefined;
  let collected: LiveChange[] = [];
  const timers = new Map<"collect" | "patience" | "reopen", ReturnType<typeof setTimeout>>();

  const after = (name: "collect" | "patience" | "reopen", ms: number, work: () => void): void => {
    if (timers.has(name)) return;
    const done = (): void => {
      timers.delete(name);
      work();
    };
    timers.set(name, setTimeout(done, ms));
  };
  const cancel = (name: "collect" | "patience" | "reopen"): void => {
    clearTimeout(timers.get(name));
    timers.delete(name);
  };

  const collect = (change: LiveChange): void => {
    collected.push(change);
    after("collect", collectMs, () => {
      const changes = collected;
      collected = [];
      onChanges(changes);
    });
  };
  const lost = (): void => {
    const sinceMs = (lostAtMs ??= Date.now());
    onState({ kind: "reconnecting" });
    after("patience", patienceMs, () => onState({ kind: "out_of_date", sinceMs }));
  };
  const open = (): void => {
    const query = new URLSearchParams({ environment, ...(lastId !== undefined && { after: lastId }) });
    const opened = new EventSource(`${serviceAddress}/api/v1/events?${query.toString()}`);
    source = opened;
    opened.addEventListener("open", () => {
      lostAtMs = undefined;
      cancel("patience");
      onState({ kind: "up_to_date" });
    });
    opened.addEventListener("error", () => {
      lost();
      // The browser reconnects after a lost connection, and gives up after a refusal.
      if (opened.readyState === EventSource.CLOSED && source === opened) after("reopen", reopenMs, reopen);
    });
    opened.addEventListener("changed", (event) => {
      lastId = event.lastEventId;
      collect(JSON.parse(event.data as string) as LiveChange);
    });
  };
  const close = (): void => {
    source?.close();
    source = undefined;
  };
  const reopen = (): void => {
    close();
    if (!document.hidden) open();
  };
  const onVisibility = (): void => {
    if (document.hidden) close();
    else if (source === undefined) open();
  };

  document.addEventListener("visibilitychange", onVisibility);
  reopen();
  return () => {
    document.removeEventListener("visibilitychange", onVisibility);
    for (const name of timers.keys()) cancel(name);
    close();
  };
}
