import type { Clock } from "./clock.ts";
import type { LedgerEvent } from "./event-of.ts";
import type { Receiver } from "./event-deliveries.ts";
import type { Journal } from "./journal.ts";
import { signatureHeader, signEvent } from "./sign-event.ts";

/** Sends events until their receivers accept them, with any 2xx. */
export interface EventSender {
  /** Sends what is due. Call it when events or receivers were added. */
  wake(): void;
  /** Cuts off the requests in progress. Their events are sent again by the next process. */
  stop(): Promise<void>;
}

/** Longest time to wait for an answer, in milliseconds. */
const answerMs = 10_000;
const longestPauseMs = 60_000;

/**
 * Creates a sender. Each receiver has a loop of its own, so that none delays another. A round of it sends each due event
 * once; after a failure the next round waits 1 s, then 2 s, up to a minute. A receiver may get an event twice: when the
 * answer or the line about it was lost.
 */
export function createEventSender({
  journal,
  clock,
}: {
  readonly journal: Journal;
  readonly clock: Clock;
}): EventSender {
  const { deliveries } = journal;
  const stop = new AbortController();
  const loops = new Map<string, Promise<void>>();

  const deliver = async (name: string): Promise<void> => {
    for (let failures = 0; !stop.signal.aborted;) {
      // An event is told only once it is on disk: a crash of the machine must not take a told payment back.
      await journal.durable();
      const due = deliveries.due(name);
      if (due === undefined || due.events.length === 0) break;
      failures = (await sendRound(due.receiver, due.events)) ? 0 : failures + 1;
      if (failures === 0) continue;
      await clock.sleep(Math.min(1_000 * 2 ** (failures - 1), longestPauseMs), stop.signal);
    }
    // In the same turn as the last look, so that no `wake` in between is lost.
    loops.delete(name);
  };

  /** Whether all were accepted. */
  const sendRound = async (receiver: Receiver, events: readonly LedgerEvent[]): Promise<boolean> => {
    let accepted = 0;
    for (const event of events) {
      const status = await send(receiver, event);
      // Without an answer, the receiver is down: the others can wait as well.
      if (status === undefined) break;
      if (status < 200 || status > 299 || stop.signal.aborted) continue;
      accepted += 1;
      journal.write({
        type: "event_accepted",
        at: clock.now().toISOString(),
        eventId: event.id,
        receiver: receiver.name,
      });
    }
    return accepted === events.length;
  };

  /** The status of the answer; `undefined` if none came. */
  const send = async ({ url, secrets }: Receiver, event: LedgerEvent): Promise<number | undefined> => {
    const body = JSON.stringify(event);
    const headers = {
      "content-type": "application/json",
      [signatureHeader]: signEvent({ body, secrets, now: clock.now() }),
    };
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(answerMs)]);
    try {
      const answer = await fetch(url, { method: "POST", headers, body, signal, redirect: "manual" });
      await answer.body?.cancel();
      return answer.status;
    } catch {
      return undefined;
    }
  };

  return {
    wake() {
      if (stop.signal.aborted) return;
      for (const { name } of deliveries.receivers()) {
        if (!loops.has(name)) loops.set(name, deliver(name));
      }
    },
    async stop() {
      stop.abort();
      await Promise.all(loops.values());
    },
  };
}
