// The service in this process, and as a separate process.
export { startLedger } from "./server.ts";
export type { Ledger, LedgerOptions } from "./server.ts";
export { spawnLedger } from "./spawn-ledger.ts";
export type { LedgerProcess, SpawnLedgerOptions } from "./spawn-ledger.ts";

// The record.
export type { LedgerEffect, RequestRecord } from "./request-record.ts";

// The books.
export { defaultSeed } from "./seed.ts";
export type { Invoice, LedgerSeed, Payment, SeedInvoice, Vendor } from "./store.ts";
export type { PaymentOrder } from "./payment-order.ts";

// Its events
export type { LedgerEvent } from "./event-of.ts";
export type { Receiver } from "./event-deliveries.ts";
export { signatureHeader, signEvent } from "./sign-event.ts";

// Injected faults, and the clock.
export type { Behaviour, BehaviourRule } from "./behaviours.ts";
export type { Clock } from "./clock.ts";
