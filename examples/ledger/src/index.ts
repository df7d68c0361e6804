// The service in this process, and as a process of its own.
export { startLedger } from "./server.ts";
export type { Ledger, LedgerOptions } from "./server.ts";
export { spawnLedger } from "./spawn-ledger.ts";
export type { LedgerProcess, SpawnLedgerOptions } from "./spawn-ledger.ts";

// What it records.
export type { LedgerEffect, RequestRecord } from "./request-record.ts";

// What it keeps.
export { defaultSeed } from "./seed.ts";
export type { Invoice, LedgerSeed, Payment, SeedInvoice, Vendor } from "./store.ts";
export type { PaymentOrder } from "./payment-order.ts";

// How it is told to misbehave, and its time.
export type { Behaviour, BehaviourRule } from "./behaviours.ts";
export type { Clock } from "./clock.ts";
