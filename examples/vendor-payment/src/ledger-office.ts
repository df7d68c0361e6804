import type { JsonObject } from "@procedo/contract";
import type { LedgerEffect, LedgerProcess, RequestRecord } from "@procedo-examples/ledger";
import { spawnLedger } from "@procedo-examples/ledger";
import { setReceiver } from "./set-receiver.ts";

/** The ledger's side of the story: its process, its books, and its injected faults. */
export interface LedgerOffice {
  readonly url: string;
  /** Lets the ledger die after the next payment, before its answer. */
  dieAfterNextPayment(): Promise<void>;
  /** Waits for the ledger to die, then starts it again on the same books. */
  restartAfterDeath(): Promise<void>;
  /** Sends the ledger's events there from now on. */
  sendEventsTo(receiver: Parameters<typeof setReceiver>[1]): Promise<void>;
  /** Enters an invoice of a vendor into the books, which is an event. */
  receiveInvoice(invoice: JsonObject): Promise<JsonObject>;
  /** All requests of all clients since the first start. */
  requests(): Promise<readonly RequestRecord[]>;
  /** The requests and payments of each idempotency key. */
  effects(): Promise<readonly LedgerEffect[]>;
  /** The payment made with a key; `undefined` if there is none. */
  paymentOf(idempotencyKey: string): Promise<JsonObject | undefined>;
  close(): Promise<void>;
}

/** Opens the ledger's office, with its books in a folder. */
export async function openLedgerOffice(dataDir: string, token: string): Promise<LedgerOffice> {
  let ledger: LedgerProcess = await spawnLedger({ dataDir, token });
  const ask = async <T>(path: string, init?: RequestInit): Promise<T> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await fetch(ledger.url + path, { ...init, headers });
    if (!response.ok) throw new Error(`The ledger answered ${response.status} to ${path}.`);
    return (await response.json()) as T;
  };
  const effects = async () => (await ask<{ data: readonly LedgerEffect[] }>("/_control/effects")).data;

  return {
    url: ledger.url,
    dieAfterNextPayment: async () => {
      const rule = { route: "POST /payments", times: 1, dieAfterWork: true };
      await ask("/_control/behaviour", { method: "POST", body: JSON.stringify(rule) });
    },
    restartAfterDeath: async () => {
      await ledger.exited;
      ledger = await spawnLedger({ dataDir, token, port: ledger.port });
    },
    sendEventsTo: (receiver) => setReceiver(ledger, receiver),
    receiveInvoice: (invoice) => ask("/_control/invoices", { method: "POST", body: JSON.stringify(invoice) }),
    requests: async () => (await ask<{ data: readonly RequestRecord[] }>("/_control/requests")).data,
    effects,
    paymentOf: async (idempotencyKey) => {
      const effect = (await effects()).find(({ key }) => key === idempotencyKey);
      const id = effect?.paymentIds[0];
      return id === undefined ? undefined : ask<JsonObject>(`/payments/${id}`);
    },
    close: () => ledger.kill(),
  };
}
