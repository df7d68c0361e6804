import { defineIntegration, type CodedIntegration } from "@procedo/engine";
import { createService } from "../../kit/index.ts";
import { plaidActions } from "./plaid-actions.ts";
import { environmentOfItems, plaidSecrets, type PlaidSecrets } from "./plaid-connection.ts";
import { plaidEvents } from "./plaid-events.ts";
import { plaidRefusal } from "./plaid-refusal.ts";

/** The version of Plaid's interface that requests ask for. */
const plaidVersion = "2020-09-14";

/**
 * Plaid: accounts and transactions at banks, identity verification, screening, and transfers. The access token of an
 * item is a secret of the connection, which procedures know by its name only. Plaid names no account for a client's
 * credentials, and publishes its limits per endpoint and item.
 *
 * Its interface: https://plaid.com/docs/api/
 */
export function plaid({
  baseUrl,
}: {
  /** Address of the service, for tests. @defaultValue the one of the connection's environment */
  readonly baseUrl?: string;
} = {}): CodedIntegration {
  const service = createService<unknown, PlaidSecrets>({
    baseUrl: ({ environment }) =>
      baseUrl ?? (environment === "live" ? "https://production.plaid.com" : "https://sandbox.plaid.com"),
    headers: { "Plaid-Version": plaidVersion },
    credentials: ({ secrets: { clientId, secret } }) => ({ "PLAID-CLIENT-ID": clientId, "PLAID-SECRET": secret }),
    refusal: plaidRefusal,
  });
  return defineIntegration({
    name: "plaid",
    title: "Plaid",
    category: "bank data",
    secrets: plaidSecrets,
    environmentOf: ({ secrets }) => environmentOfItems(secrets),
    actions: () => plaidActions(service),
    inbound: plaidEvents(service),
  });
}
