import { LedgerError } from "./ledger-error.ts";

/** A client's order for a payment. */
export interface PaymentOrder {
  readonly vendorId: string;
  /** In minor units of `currency`, 1 to {@link maxAmount}. */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  readonly invoiceId?: string;
  readonly reference?: string;
}

/** Maximum amount of a payment in minor units. A double still holds the exact sum of thousands of such payments. */
export const maxAmount = 1_000_000_000_000;

/** Maximum length of `reference` in characters, as for a SEPA remittance text. */
export const maxReferenceLength = 140;

const currencies = new Set(Intl.supportedValuesOf("currency"));
const fields = new Set(["vendorId", "amount", "currency", "invoiceId", "reference"]);

/**
 * Reads a payment order from a parsed body.
 *
 * @throws {LedgerError} `invalid_payment`, naming the field.
 */
export function parsePaymentOrder(body: unknown): PaymentOrder {
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw invalid("The body must be a JSON object.");
  for (const field of Object.keys(body)) {
    if (!fields.has(field))
      throw invalid(`"${field}" is not a field of a payment; known are ${[...fields].join(", ")}.`);
  }
  const given: Partial<Record<string, unknown>> = { ...body };
  const invoiceId = given.invoiceId === undefined ? undefined : text("invoiceId", given.invoiceId);
  const reference = given.reference === undefined ? undefined : text("reference", given.reference);
  if (reference !== undefined && reference.length > maxReferenceLength) {
    throw invalid(`"reference" has ${reference.length} characters; at most ${maxReferenceLength} are allowed.`);
  }
  return {
    vendorId: text("vendorId", given.vendorId),
    amount: amount(given.amount),
    currency: currency(given.currency),
    ...(invoiceId !== undefined && { invoiceId }),
    ...(reference !== undefined && { reference }),
  };
}

function text(field: string, value: unknown): string {
  if (typeof value === "string" && value !== "") return value;
  throw invalid(`"${field}" must be a non-empty string.`);
}

function amount(value: unknown): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 1 && value <= maxAmount) return value;
  throw invalid(`"amount" must be a whole number of minor units from 1 to ${maxAmount}.`);
}

function currency(value: unknown): string {
  if (typeof value === "string" && currencies.has(value)) return value;
  throw invalid(`"currency" must be an ISO 4217 code such as "EUR".`);
}

function invalid(message: string): LedgerError {
  return new LedgerError("invalid_payment", message);
}
