import { LedgerError } from "./ledger-error.ts";
import type { LedgerErrorCode } from "./ledger-error.ts";

/** Maximum amount in minor units. A double still holds the exact sum of thousands of such amounts. */
export const maxAmount = 1_000_000_000_000;

const currencies = new Set(Intl.supportedValuesOf("currency"));

/** The fields of a parsed body. A field that is not valid is refused, by its name. */
export interface OrderFields {
  /** Whether the field was given. */
  readonly has: (field: string) => boolean;
  readonly text: (field: string) => string;
  /** Minor units, 1 to {@link maxAmount}. */
  readonly amount: (field: string) => number;
  /** ISO 4217 code. */
  readonly currency: (field: string) => string;
  /** A day, such as `2027-01-31`. */
  readonly date: (field: string) => string;
}

/**
 * Opens a body that may have the named fields only.
 *
 * @param kind of the order, such as "a payment"
 * @throws {LedgerError} `code`, naming the field
 */
export function readOrder(code: LedgerErrorCode, kind: string, names: readonly string[], body: unknown): OrderFields {
  const refuse = (message: string) => new LedgerError(code, message);
  if (typeof body !== "object" || body === null || Array.isArray(body)) throw refuse("The body must be a JSON object.");
  for (const field of Object.keys(body)) {
    if (!names.includes(field)) throw refuse(`"${field}" is not a field of ${kind}; known are ${names.join(", ")}.`);
  }
  const given: Partial<Record<string, unknown>> = { ...body };
  const text = (field: string): string => {
    const value = given[field];
    if (typeof value === "string" && value !== "") return value;
    throw refuse(`"${field}" must be a non-empty string.`);
  };
  return {
    has: (field) => given[field] !== undefined,
    text,
    amount: (field) => {
      const value = given[field];
      if (typeof value === "number" && Number.isSafeInteger(value) && value >= 1 && value <= maxAmount) return value;
      throw refuse(`"${field}" must be a whole number of minor units from 1 to ${maxAmount}.`);
    },
    currency: (field) => {
      const value = given[field];
      if (typeof value === "string" && currencies.has(value)) return value;
      throw refuse(`"${field}" must be an ISO 4217 code such as "EUR".`);
    },
    date: (field) => {
      const value = text(field);
      const time = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(value) : NaN;
      if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(value)) return value;
      throw refuse(`"${field}" must be a day such as 2027-01-31.`);
    },
  };
}
