import { readOrder } from "./order-fields.ts";
import type { SeedInvoice } from "./store.ts";

/** An invoice that arrives. The ledger gives it its id. */
export type InvoiceOrder = Omit<SeedInvoice, "id">;

const fields = ["vendorId", "amount", "currency", "dueDate"];

/**
 * Reads an invoice from a parsed body.
 *
 * @throws {LedgerError} `invalid_invoice`, naming the field.
 */
export function parseInvoiceOrder(body: unknown): InvoiceOrder {
  const { text, amount, currency, date } = readOrder("invalid_invoice", "an invoice", fields, body);
  return {
    vendorId: text("vendorId"),
    amount: amount("amount"),
    currency: currency("currency"),
    dueDate: date("dueDate"),
  };
}
