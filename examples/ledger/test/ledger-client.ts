/** A response, as far as the tests check it. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** The unchanged body. */
  readonly text: string;
  /** The body, parsed. */
  readonly body: Record<string, unknown>;
}

/** Calls a ledger over HTTP. */
export interface LedgerClient {
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  /** Sends a string unchanged, other values as JSON. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Reply>;
  pay(key: string | null, order?: Record<string, unknown>): Promise<Reply>;
  behave(...rules: readonly Record<string, unknown>[]): Promise<Reply>;
}

/** A payment that the default seed accepts. */
export const order = { vendorId: "ven_acme", amount: 125_000, currency: "EUR" };

/** Creates a client of the ledger at `url`. */
export function clientOf({ url }: { readonly url: string }): LedgerClient {
  const send = async (path: string, init: RequestInit): Promise<Reply> => {
    const response = await fetch(url + path, init);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: JSON.parse(text) as Record<string, unknown>,
    };
  };
  const client: LedgerClient = {
    get: (path, headers = {}) => send(path, { headers }),
    post: (path, body, headers = {}) =>
      send(path, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    pay: (key, given = order) => client.post("/payments", given, key === null ? {} : { "idempotency-key": key }),
    behave: (...rules) => client.post("/_control/behaviour", rules),
  };
  return client;
}
