import { customApi } from "@procedo/integrations";
import { slack, stripe } from "@procedo/integrations/services";
import type { ConnectionOptions } from "@procedo/engine/testing";
import document from "../payout-reconciliation.json" with { type: "json" };
import { bankOpenApi } from "../src/fakes/bank-openapi.ts";
import { samplePayout, type SamplePayout } from "../src/fakes/stripe-samples.ts";
import { payoutMatching } from "../src/payout-matching.ts";

export { document };

export const day = "2026-11-24";
export const channel = "C0FINANCE";
export const input = { day, channel };
export const secrets = { secretKey: "sk_test_of_no_value", botToken: "xoxb-of-no-value", token: "a-token-of-no-value" };

/** The procedure's connections. Without addresses, the services have to be faked. */
export function reconciliationConnections(
  urls: { readonly stripe?: string; readonly slack?: string } = {},
): Required<Pick<ConnectionOptions, "integrations" | "connections">> {
  const settings = {
    spec: { text: JSON.stringify(bankOpenApi) },
    baseUrl: "https://bank.example",
    authentication: { method: "bearer_token" },
  };
  return {
    integrations: [
      payoutMatching,
      customApi(),
      stripe(urls.stripe === undefined ? {} : { baseUrl: urls.stripe }),
      slack(urls.slack === undefined ? {} : { baseUrl: urls.slack }),
    ],
    connections: {
      stripe: { secrets: { secretKey: secrets.secretKey } },
      slack: { secrets: { botToken: secrets.botToken } },
      bank: { integration: "custom_api", settings, secrets: { token: secrets.token } },
    },
  };
}

/** A payout with one charge. */
export function payoutOf(id: string, amountMinor: number, { currency = "eur", on = day } = {}): SamplePayout {
  const part = { type: "charge", amountMinor: amountMinor + 30, feeMinor: 30 } as const;
  return samplePayout({ id, day: on, currency, parts: [part] });
}
