import type { LedgerEvent } from "./event-of.ts";
import type { LogLine } from "./request-record.ts";

/** An address to which the ledger sends its events. */
export interface Receiver {
  /** A receiver with a known name replaces the earlier one, and takes over the events that it did not accept. */
  readonly name: string;
  readonly url: string;
  /** Each signs every event. While a secret is replaced there are two, and the receiver accepts either. */
  readonly secrets: readonly string[];
}

/** The events that each receiver has not accepted yet, folded from the lines of the log. */
export interface EventDeliveries {
  apply(line: LogLine): void;
  /** Adds an event for every present receiver. */
  add(event: LedgerEvent): void;
  receivers(): readonly Receiver[];
  /** The receiver's present address and its events, in the order in which they happened. */
  due(name: string): { readonly receiver: Receiver; readonly events: readonly LedgerEvent[] } | undefined;
}

/** Creates the fold over an empty log. */
export function createEventDeliveries(allEvents: () => readonly LedgerEvent[]): EventDeliveries {
  const receivers = new Map<string, { receiver: Receiver; pending: Map<string, LedgerEvent> }>();
  return {
    apply(line) {
      switch (line.type) {
        case "receiver_set":
          receivers.set(line.receiver.name, {
            receiver: line.receiver,
            pending: receivers.get(line.receiver.name)?.pending ?? new Map<string, LedgerEvent>(),
          });
          return;
        case "event_accepted":
          receivers.get(line.receiver)?.pending.delete(line.eventId);
          return;
        case "events_resent":
          for (const { pending } of receivers.values()) {
            for (const event of allEvents()) pending.set(event.id, event);
          }
          return;
        case "reset":
          for (const { pending } of receivers.values()) pending.clear();
          return;
        default:
      }
    },
    add(event) {
      for (const { pending } of receivers.values()) pending.set(event.id, event);
    },
    receivers: () => [...receivers.values()].map(({ receiver }) => receiver),
    due(name) {
      const found = receivers.get(name);
      return found && { receiver: found.receiver, events: [...found.pending.values()] };
    },
  };
}
