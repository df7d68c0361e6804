import type { LedgerEvent } from "./event-of.ts";
import type { InvoiceOrder } from "./invoice-order.ts";
import { LedgerError } from "./ledger-error.ts";
import type { PaymentOrder } from "./payment-order.ts";

/** A vendor. Blocked vendors are listed, but payments to them are refused. */
export interface Vendor {
  readonly id: string;
  readonly name: string;
  readonly status: "active" | "blocked";
  /** ISO 3166-1 alpha-2 code. */
  readonly country: string;
  /** ISO 4217 code of the vendor's account. */
  readonly currency: string;
}

/** An invoice as it was seeded or received. Its paid amount follows from the payments. */
export interface SeedInvoice {
  readonly id: string;
  readonly vendorId: string;
  /** In minor units of `currency`. */
  readonly amount: number;
  readonly currency: string;
  /** ISO 8601 date. */
  readonly dueDate: string;
}

/** An invoice with its paid amount, which may exceed the invoice: see {@link Store.admit}. */
export interface Invoice extends SeedInvoice {
  readonly amountPaid: number;
  readonly status: "open" | "paid";
}

/** An executed payment. Payments are never changed or removed. */
export interface Payment extends PaymentOrder {
  readonly id: string;
  readonly status: "executed";
  /** ISO 8601 time in UTC. */
  readonly createdAt: string;
}

/** The initial data of a ledger. */
export interface LedgerSeed {
  readonly vendors: readonly Vendor[];
  readonly invoices: readonly SeedInvoice[];
}

/** Vendors, invoices, payments and events in memory, folded from the log. */
export interface Store {
  vendors(): readonly Vendor[];
  vendor(id: string): Vendor | undefined;
  invoices(vendorId: string | undefined): readonly Invoice[];
  invoice(id: string): Invoice | undefined;
  payments(): readonly Payment[];
  payment(id: string): Payment | undefined;
  /**
   * Returns the payment that `order` would make now, without changing the books. Paying an invoice twice is allowed on
   * purpose: a refusal would hide doubled payments from the tests that look for them.
   *
   * @throws {LedgerError} `unknown_vendor`, `vendor_blocked`, `unknown_invoice`, `currency_mismatch`.
   */
  admit(order: PaymentOrder, now: Date): Payment;
  /** Applies a recorded payment to the books. */
  book(payment: Payment): void;
  /**
   * Returns the invoice that would be received now, without changing the books.
   *
   * @throws {LedgerError} `unknown_vendor`, `currency_mismatch`.
   */
  admitInvoice(order: InvoiceOrder): SeedInvoice;
  /** Applies a received invoice to the books. */
  receive(invoice: SeedInvoice): void;
  /** Events in the order in which they happened. @defaultValue of any time */
  events(period?: { readonly from?: string | undefined; readonly to?: string | undefined }): readonly LedgerEvent[];
  record(event: LedgerEvent): void;
  /** Forgets all payments, received invoices and events. */
  clear(): void;
}

/** Creates a store with `seed` and nothing else. */
export function createStore(seed: LedgerSeed): Store {
  const vendors = new Map(seed.vendors.map((vendor) => [vendor.id, vendor]));
  const invoices = new Map(seed.invoices.map((invoice) => [invoice.id, invoice]));
  const seeded = new Set(invoices.keys());
  const payments = new Map<string, Payment>();
  const paidOnInvoice = new Map<string, number>();
  let events: LedgerEvent[] = [];

  const withPaid = (invoice: SeedInvoice): Invoice => {
    const amountPaid = paidOnInvoice.get(invoice.id) ?? 0;
    return { ...invoice, amountPaid, status: amountPaid >= invoice.amount ? "paid" : "open" };
  };

  const checkInvoice = (order: PaymentOrder, invoiceId: string): void => {
    const invoice = invoices.get(invoiceId);
    if (invoice?.vendorId !== order.vendorId) {
      throw new LedgerError("unknown_invoice", `Vendor "${order.vendorId}" has no invoice "${invoiceId}".`);
    }
    if (invoice.currency !== order.currency) {
      throw new LedgerError(
        "currency_mismatch",
        `Invoice "${invoiceId}" is in ${invoice.currency}, the payment in ${order.currency}; pay in the invoice's currency.`,
      );
    }
  };

  return {
    vendors: () => [...vendors.values()],
    vendor: (id) => vendors.get(id),
    invoices: (vendorId) =>
      [...invoices.values()].filter((invoice) => vendorId === undefined || invoice.vendorId === vendorId).map(withPaid),
    invoice: (id) => {
      const invoice = invoices.get(id);
      return invoice && withPaid(invoice);
    },
    payments: () => [...payments.values()],
    payment: (id) => payments.get(id),
    admit(order, now) {
      const vendor = vendors.get(order.vendorId);
      if (!vendor) throw new LedgerError("unknown_vendor", `There is no vendor "${order.vendorId}".`);
      if (vendor.status === "blocked") {
        throw new LedgerError("vendor_blocked", `Vendor "${vendor.id}" is blocked. No payment was made.`);
      }
      if (order.invoiceId !== undefined) checkInvoice(order, order.invoiceId);
      return { id: `pay_${payments.size + 1}`, ...order, status: "executed", createdAt: now.toISOString() };
    },
    book(payment) {
      payments.set(payment.id, payment);
      if (payment.invoiceId === undefined) return;
      paidOnInvoice.set(payment.invoiceId, (paidOnInvoice.get(payment.invoiceId) ?? 0) + payment.amount);
    },
    admitInvoice(order) {
      const vendor = vendors.get(order.vendorId);
      if (!vendor) throw new LedgerError("unknown_vendor", `There is no vendor "${order.vendorId}".`);
      if (order.currency !== vendor.currency) {
        throw new LedgerError(
          "currency_mismatch",
          `The account of vendor "${vendor.id}" is in ${vendor.currency}, the invoice in ${order.currency}.`,
        );
      }
      let number = 1001 + invoices.size;
      while (invoices.has(`inv_${number}`)) number += 1;
      return { id: `inv_${number}`, ...order };
    },
    receive(invoice) {
      invoices.set(invoice.id, invoice);
    },
    events: ({ from, to } = {}) => {
      const [fromMs, toMs] = [readTime("from", from) ?? -Infinity, readTime("to", to) ?? Infinity];
      return events.filter(({ occurredAt }) => Date.parse(occurredAt) >= fromMs && Date.parse(occurredAt) < toMs);
    },
    record(event) {
      events.push(event);
    },
    clear() {
      payments.clear();
      paidOnInvoice.clear();
      events = [];
      for (const id of invoices.keys()) if (!seeded.has(id)) invoices.delete(id);
    },
  };
}

/** @throws {LedgerError} `malformed_request` for a text that is not a time. */
function readTime(parameter: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return time;
  throw new LedgerError("malformed_request", `"${parameter}" must be a time such as 2026-12-01T00:00:00Z.`);
}
