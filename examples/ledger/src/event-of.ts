import type { LogLine } from "./request-record.ts";
import type { Invoice, Payment } from "./store.ts";

/** A change of the books, as receivers are told. */
export type LedgerEvent = {
  /** The same for every attempt to send it, and different for every other event. */
  readonly id: string;
  /** ISO 8601 time in UTC. */
  readonly occurredAt: string;
} & (
  | { readonly type: "payment.settled"; readonly data: Payment }
  | { readonly type: "invoice.received"; readonly data: Invoice }
);

/**
 * The event of a line of the log; `undefined` for a line that changes no books. Events are not stored: the log has all
 * their facts, so a payment and its event cannot diverge.
 *
 * @param number of the events before it in the log, which makes the id unique also after a reset
 */
export function eventOf(line: LogLine, number: number): LedgerEvent | undefined {
  // The time keeps ids of two ledgers apart, such as one whose data folder was removed and its successor.
  const id = `evt_${Date.parse(line.at).toString(36)}_${number + 1}`;
  if (line.type === "settled" && line.executed) {
    return { id, type: "payment.settled", occurredAt: line.payment.createdAt, data: line.payment };
  }
  if (line.type !== "invoice_received") return undefined;
  const data = { ...line.invoice, amountPaid: 0, status: "open" } as const;
  return { id, type: "invoice.received", occurredAt: line.at, data };
}
