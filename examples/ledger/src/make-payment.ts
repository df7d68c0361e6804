import { LedgerError } from "./ledger-error.ts";
import { parsePaymentOrder } from "./payment-order.ts";
import type { RequestRecords } from "./request-record.ts";
import type { Payment, Store } from "./store.ts";

/** `executed` is a payment yet to be put on record, `replayed` one that an earlier request with the key made. */
export interface PaymentResult {
  readonly kind: "executed" | "replayed";
  readonly payment: Payment;
}

/** The longest `Idempotency-Key`, in characters. */
export const maxKeyLength = 255;

/**
 * Answers a payment request by its key: what the key made before, or the payment that the order makes now. Only what
 * was executed is kept under a key; a refused order may be corrected and sent again with it.
 *
 * @throws {LedgerError} `malformed_request`, `idempotency_key_reused`, and what the order's checks throw.
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
      `This Idempotency-Key made payment "${earlier.payment.id}" from another body; a new payment needs a new key.`,
    );
  }
  return { kind: "executed", payment: store.admit(parsePaymentOrder(request.body()), request.now) };
}
