import type { LedgerSeed } from "./store.ts";

/** The default data of a ledger, with one blocked vendor and one invoice above 1,000,000 minor units. */
export const defaultSeed: LedgerSeed = {
  vendors: [
    { id: "ven_acme", name: "Acme Industrial GmbH", status: "active", country: "DE", currency: "EUR" },
    { id: "ven_globex", name: "Globex Corporation", status: "active", country: "US", currency: "USD" },
    { id: "ven_hooli", name: "Hooli KK", status: "active", country: "JP", currency: "JPY" },
    { id: "ven_umbrella", name: "Umbrella Trading Ltd", status: "blocked", country: "GB", currency: "GBP" },
  ],
  invoices: [
    { id: "inv_1001", vendorId: "ven_acme", amount: 125_000, currency: "EUR", dueDate: "2026-12-15" },
    { id: "inv_1002", vendorId: "ven_acme", amount: 4_500_000, currency: "EUR", dueDate: "2026-12-31" },
    { id: "inv_1003", vendorId: "ven_globex", amount: 89_990, currency: "USD", dueDate: "2027-01-10" },
    { id: "inv_1004", vendorId: "ven_umbrella", amount: 60_000, currency: "GBP", dueDate: "2026-12-01" },
    { id: "inv_1005", vendorId: "ven_hooli", amount: 340_000, currency: "JPY", dueDate: "2027-01-31" },
    { id: "inv_1006", vendorId: "ven_acme", amount: 1_850_000, currency: "EUR", dueDate: "2027-01-15" },
  ],
};
