import { environments, type Environment } from "@procedo/contract";
import { createEngine } from "@procedo/engine";
import { customApi } from "@procedo/integrations";
import { createMemoryStorage } from "@procedo/storage";
import { startLedger, type LedgerSeed, type PaymentOrder } from "@procedo-examples/ledger";
import { expect, test } from "vitest";
import { connectLedger } from "../src/connect-ledger.ts";
import { publishVendorPayment } from "../src/prepare-workspace.ts";

const runsEach = 200;
const currency = "EUR";

/** The books of one environment, without a name of the other. */
function booksOf(environment: Environment): LedgerSeed {
  const vendorId = `ven_${environment}`;
  const amounts = Array.from({ length: runsEach }, (_, index) => 100 + index);
  return {
    vendors: [{ id: vendorId, name: environment, status: "active", country: "DE", currency }],
    invoices: amounts.map((amount, index) => {
      return { id: `inv_${environment}_${index}`, vendorId, amount, currency, dueDate: "2026-12-31" };
    }),
  };
}

test("one procedure, two connections with one name: each environment's ledger receives only its own payments", async () => {
  const books = { sandbox: booksOf("sandbox"), live: booksOf("live") };
  const tokens = { sandbox: "token-of-the-sandbox", live: "token-of-live" };
  const ledgers = {
    sandbox: await startLedger({ seed: books.sandbox, token: tokens.sandbox }),
    live: await startLedger({ seed: books.live, token: tokens.live }),
  };
  const engine = createEngine({
    storage: createMemoryStorage({ now: Date.now }),
    masterKey: new Uint8Array(32).fill(7),
    integrations: [customApi()],
    egress: { allowNetworks: ["127.0.0.0/8"] },
  });
  try {
    for (const environment of environments) {
      await connectLedger(engine, environment, { url: ledgers[environment].url, token: tokens[environment] });
    }
    await publishVendorPayment(engine);
    await engine.start();

    // Alternately and at once: each run is followed by one of the other environment.
    const places = Array.from({ length: 2 * runsEach }, (_, index) => {
      const environment: Environment = index % 2 === 0 ? "sandbox" : "live";
      return { environment, invoice: books[environment].invoices[index >> 1] };
    });
    const ended = await Promise.all(
      places.map(({ environment, invoice: { id: invoiceId, vendorId, amount } = missing() }) => {
        const data = { vendorId, invoiceId, amount };
        return engine.runs.execute({ procedureId: "vendor-payment", environment, data, by: { person: "ana" } });
      }),
    );
    expect(ended.map(({ status }) => status)).toEqual(places.map(() => "completed"));

    for (const environment of environments) {
      const requests = ledgers[environment].requests().filter(({ path }) => path !== "/openapi.json");
      // A vendor, an invoice and a payment for each run; a request with the other's token or names would be refused.
      expect(requests.filter(({ status }) => status === 200 || status === 201)).toHaveLength(3 * runsEach);
      expect(requests.filter(({ status }) => status !== 200 && status !== 201)).toEqual([]);
      const paid = requests
        .filter(({ executed }) => executed)
        .map(({ body }) => JSON.parse(body ?? "") as PaymentOrder);
      const invoices = books[environment].invoices.map(({ id, amount }) => ({ invoiceId: id, amount }));
      expect(paid.map(({ invoiceId, amount }) => ({ invoiceId, amount })).toSorted(byInvoice)).toEqual(
        invoices.toSorted(byInvoice),
      );
    }
  } finally {
    await engine.stop();
    await Promise.all(environments.map((environment) => ledgers[environment].close()));
  }
});

type Paid = Pick<PaymentOrder, "amount"> & { readonly invoiceId: string | undefined };

function byInvoice(a: Paid, b: Paid): number {
  return (a.invoiceId ?? "") < (b.invoiceId ?? "") ? -1 : 1;
}

function missing(): never {
  throw new Error("There are fewer invoices than runs.");
}
