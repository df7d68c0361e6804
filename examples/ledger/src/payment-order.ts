import { LedgerError } from "./ledger-error.ts";
import { readOrder } from "./order-fields.ts";

/** A client's order for a payment. */
export interface PaymentOrder {
  readonly vendorId: string;
  /** In minor units of `currency`. */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  readonly invoiceId?: string;
  readonly reference?: string;
}

/** Maximum length of `reference` in characters, as for a SEPA remittance text. */
export const maxReferenceLength = 140;

const fields = ["vendorId", "amount", "currency", "invoiceId", "reference"];

/**
 * Reads a payment order from a parsed body.
 *
 * @throws {LedgerError} `invalid_payment`, naming the field.
 */
export function parsePaymentOrder(body: unknown): PaymentOrder {
  const { has, text, amount, currency } = readOrder("invalid_payment", "a payment", fields, body);
  const invoiceId = has("invoiceId") ? text("invoiceId") : undefined;
  const reference = has("reference") ? text("reference") : undefined;
  if (reference !== undefined && reference.length > maxReferenceLength) {
    const message = `"reference" has ${reference.length} characters; at most ${maxReferenceLength} are allowed.`;
    throw new LedgerError("invalid_payment", message);
  }
  return {
    vendorId: text("vendorId"),
    amount: amount("amount"),
    currency: currency("currency"),
    ...(invoiceId !== undefined && { invoiceId }),
    ...(reference !== undefined && { reference }),
  };
}
