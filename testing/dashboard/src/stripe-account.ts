import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The part of Stripe that tells the account of a key. */
export interface StripeAccount {
  readonly url: string;
  /** The key that is accepted. */
  readonly secretKey: string;
  stop(): void;
}

export async function startStripeAccount(): Promise<StripeAccount> {
  const secretKey = "rk_test_harbour4711";
  const server = createServer((request, response) => {
    const isKnown = request.headers.authorization === `Bearer ${secretKey}`;
    response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" });
    const account = { id: "acct_1", object: "account", settings: { dashboard: { display_name: "Harbour Bakery" } } };
    const error = { type: "invalid_request_error", message: "Invalid API Key provided." };
    response.end(JSON.stringify(isKnown ? account : { error }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secretKey,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
