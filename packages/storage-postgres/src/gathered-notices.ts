import type { Change } from "@procedo/storage";

/** Changes that wait for the notice that tells of them. */
export interface GatheredNotices {
  add(changes: readonly Change[]): void;
  /** Takes no more; resolves once what waited is told, too. */
  close(): Promise<void>;
}

/** That a run came to rest matters to who waits for it at another node; one notice tells of all within this time. */
const gatherMs = 3;
/**
 * A notice is a transaction, and every node is told of it. After each one there is none for four times as long as it took,
 * 25 ms at most: under load they take a fifth of a connection's time, and more only where one takes longer than 6 ms. Where
 * nothing else happens nobody waits.
 */
const restShare = 4;
const longestRestMs = 25;

/**
 * Sends one notice at a time, and each as late as its changes can wait.
 *
 * @param send sends a notice of these changes, and never rejects: what is lost is not sent again
 */
export function gatherNotices(send: (changes: readonly Change[]) => Promise<void>): GatheredNotices {
  let pending: Change[] = [];
  let sending: Promise<void> | undefined;
  let closed = false;
  let closing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** When what is pending is sent, by `performance.now()`. */
  let dueAtMs = Infinity;
  let restsUntilMs = -Infinity;

  /** Sends what is pending as soon as these changes ask for it. */
  function flushFor(changes: readonly Change[]): void {
    if (changes.length === 0 || closed) return;
    const nowMs = performance.now();
    const canWait = changes.every(({ type }) => type === "settled");
    const atMs = Math.max(canWait ? nowMs + gatherMs : nowMs, restsUntilMs);
    if (atMs >= dueAtMs) return;
    dueAtMs = atMs;
    clearTimeout(timer);
    if (atMs > nowMs) timer = setTimeout(flush, atMs - nowMs);
    else queueMicrotask(flush);
  }

  function flush(): void {
    if (!closed) void sendPending();
  }

  async function sendPending(): Promise<void> {
    dueAtMs = Infinity;
    if (pending.length === 0) return;
    const changes = pending;
    pending = [];
    const sinceMs = performance.now();
    sending = send(changes);
    await sending.finally(() => (sending = undefined));
    const endedMs = performance.now();
    restsUntilMs = endedMs + Math.min(longestRestMs, restShare * (endedMs - sinceMs));
    flushFor(pending);
  }

  async function sendLast(): Promise<void> {
    closed = true;
    clearTimeout(timer);
    await sending;
    await sendPending();
  }

  return {
    add(changes) {
      if (closed) return;
      pending.push(...changes);
      if (sending === undefined) flushFor(changes);
    },
    close: () => (closing ??= sendLast()),
  };
}
