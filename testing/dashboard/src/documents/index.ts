import type { ProcedureDocument } from "@procedo/contract";
import { expenseCheck } from "./expense-check.ts";
import { invoice } from "./invoice.ts";
import { statement } from "./statement.ts";
import { supplierInvoice } from "./supplier-invoice.ts";
import { transfer } from "./transfer.ts";
import { vendorPayment } from "./vendor-payment.ts";

/** The procedures of a service, a file each. */
export const documents: readonly ProcedureDocument[] = [
  vendorPayment,
  transfer,
  expenseCheck,
  invoice,
  statement,
  supplierInvoice,
];
