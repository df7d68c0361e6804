import { startLedger } from "@procedo-examples/ledger";
import { customApi } from "@procedo/integrations";
import type { EgressOptions } from "@procedo/engine";
import type { ConnectionOptions } from "@procedo/engine/testing";

/** The connection of this example's procedures to the ledger: its own document. */
export type LedgerSurroundings = Required<Pick<ConnectionOptions, "integrations" | "connections">>;

/** The ledger's document without the ledger: fakes have its actions and must match its schemas. */
export async function ledgerSurroundings(): Promise<LedgerSurroundings> {
  const ledger = await startLedger();
  const text = await (await fetch(`${ledger.url}/openapi.json`)).text();
  await ledger.close();
  return surroundingsOf({ text });
}

/** The real ledger, at an address of this machine. */
export function realLedger(url: string): LedgerSurroundings & { readonly egress: EgressOptions } {
  return { ...surroundingsOf({ url: `${url}/openapi.json` }), egress: { allowNetworks: ["127.0.0.0/8"] } };
}

function surroundingsOf(spec: { readonly text: string } | { readonly url: string }): LedgerSurroundings {
  const settings = {
    spec,
    authentication: { method: "none" },
    idempotencyHeader: "Idempotency-Key",
    effects: { post_payments: "once" },
  };
  return { integrations: [customApi()], connections: { ledger: { integration: "custom_api", settings } } };
}

export const acme = { id: "ven_acme", name: "Acme Industrial GmbH", status: "active", country: "DE", currency: "EUR" };

/** An open invoice of Acme's. */
export function invoice(id: string, amount: number) {
  return { id, vendorId: acme.id, amount, currency: "EUR", dueDate: "2026-12-15", amountPaid: 0, status: "open" };
}

/** The ledger's answer to a payment. */
export function payment(order: object) {
  return { id: "pay_1", ...order, status: "executed", createdAt: "2026-01-02T12:00:00Z" };
}
