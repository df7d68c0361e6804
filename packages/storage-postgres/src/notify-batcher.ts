import type { Change } from "@procedo/storage";

/** Collects changes for the notification that announces them to the other nodes. */
export interface NotifyBatcher {
  add(changes: readonly Change[]): void;
  /** Accepts no more changes. Resolves once the collected ones have been sent. */
  close(): Promise<void>;
}

/**
 * The collection time. Each notification is a transaction that every node receives, so one announces several changes.
 */
const batchMs = 5;

/**
 * Sends one notification at a time, 5 ms after its first change.
 *
 * @param send sends a notification of these changes, and never rejects: a lost notification is not sent again
 */
export function createNotifyBatcher(send: (changes: readonly Change[]) => Promise<void>): NotifyBatcher {
  let pending: Change[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  let closing: Promise<void> | undefined;

  function schedule(): void {
    if (closing !== undefined || timer !== undefined || sending !== undefined || pending.length === 0) return;
    timer = setTimeout(() => void sendPending().then(schedule), batchMs);
  }

  async function sendPending(): Promise<void> {
    timer = undefined;
    if (pending.length === 0) return;
    const changes = pending;
    pending = [];
    sending = send(changes);
    await sending;
    sending = undefined;
  }

  async function sendLast(): Promise<void> {
    clearTimeout(timer);
    await sending;
    await sendPending();
  }

  return {
    add(changes) {
      if (closing !== undefined) return;
      pending.push(...changes);
      schedule();
    },
    close: () => (closing ??= sendLast()),
  };
}
