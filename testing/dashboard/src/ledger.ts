import { defineIntegration, isSignature, z } from "@procedo/engine";

const event = z.object({
  id: z.string(),
  type: z.string(),
  data: z.object({ vendor: z.string(), amount: z.int() }),
});

const sample = (type: string) => ({ id: "evt_1", type, data: { vendor: "Acme GmbH", amount: 48_000 } });

/** The secret of connections to the ledger. */
export const ledgerSecret = "the secret of the ledger";

/** A ledger that sends events, each signed in the header `Ledger-Signature`. */
export const ledger = defineIntegration({
  name: "ledger",
  title: "Ledger",
  secrets: z.object({ signingSecret: z.string() }),
  actions: {},
  inbound: {
    events: [
      { type: "invoice.received", title: "Invoice received", sample: sample("invoice.received") },
      { type: "payment.settled", title: "Payment settled", sample: sample("payment.settled") },
    ],
    verify: ({ header, body, secrets }) =>
      isSignature(header("Ledger-Signature")[0] ?? "", [body], { secret: secrets.signingSecret }),
    parse: ({ json }) => {
      const parsed = event.parse(json());
      return [{ id: parsed.id, type: parsed.type, occurredAtMs: undefined, event: parsed }];
    },
  },
});
