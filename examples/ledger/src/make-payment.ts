import { LedgerError } from "./ledger-error.ts";
import { parsePaymentOrder } from "./payment-order.ts";
import type { RequestRecords } from "./request-record.ts";
import type { Payment, Store } from "./store.ts";

/** `executed`: a new payment, not yet recorded. `replayed`: the payment of an earlier request with the same key. */
export interface PaymentResult {
  readonly kind: "executed" | "replayed";
  readonly payment: Payment;
}

/** Maximum length of an `Idempotency-Key` in characters. */
export const maxKeyLength = 255;

/**
 * Answers a payment request with the earlier payment of its key, or with a new payment. Only executed payments are
 * stored under a key. A refused order may be corrected and sent again with the same key.
 *
 * @throws {LedgerError} `malformed_request`, `idempotency_key_reused`, and the errors of the order's checks.
 */
export function makePayment(request: {
  readonly key: string | null;
  readonly text: string | null;
  readonly body: () => unknown;
  readonly store: Store;
  readonly records: RequestRecords;
  readonly now: Date;
}): PaymentResult {
  const { key, text, store, records } = request;
  if (key !== null && (key === "" || key.length > maxKeyLength)) {
    throw new LedgerError("malformed_request", `An Idempotency-Key has 1 to ${maxKeyLength} characters.`);
  }
  const earlier = key === null ? undefined : records.executed(key);
  if (earlier && earlier.body === text) return { kind: "replayed", payment: earlier.payment };
  if (earlier) {
    throw new LedgerError(
      "idempotency_key_reused",
      `This Idempotency-Key made payment "${earlier.payment.id}" from a different body. Use a new key for a new payment.`,
    );
  }
  return { kind: "executed", payment: store.admit(parsePaymentOrder(request.body()), request.now) };
}
