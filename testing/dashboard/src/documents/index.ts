import type { ProcedureDocument } from "@procedo/contract";
import { vendorPayment } from "./vendor-payment.ts";

/** The procedures of a service, a file each. */
export const documents: readonly ProcedureDocument[] = [vendorPayment];
