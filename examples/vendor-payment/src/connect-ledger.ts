import type { Environment } from "@procedo/contract";
import type { Connection, Engine } from "@procedo/engine";

/** The address of the ledger's OpenAPI document, and its token. */
export interface LedgerAccess {
  readonly url: string;
  readonly token: string;
}

const by = { person: "operator", via: "example" };

/**
 * Connects an environment to the ledger through the ledger's OpenAPI document, whose operations become the actions of
 * the procedure. A connection from an earlier start is kept, and updated to the current address of the ledger.
 */
export async function connectLedger(
  { connections }: Engine,
  environment: Environment,
  { url, token }: LedgerAccess,
): Promise<void> {
  const spec = { url: `${url}/openapi.json` };
  const authentication = { method: "bearer_token" };
  // The ledger honours idempotency keys, so "idempotent" would be correct too. "once" lets only a person repeat a
  // payment.
  const settings = { spec, authentication, idempotencyHeader: "Idempotency-Key", effects: { post_payments: "once" } };
  const secrets = { token };
  const known = await connectionNamed({ connections }, environment, "ledger");
  if (known !== undefined) {
    const { connectionId } = known;
    if (known.settings["baseUrl"] === url) return;
    // Set explicitly, because the service does not follow a document to a different server by itself.
    await connections.update({ environment, connectionId, settings: { spec, baseUrl: url }, secrets, by });
    return;
  }
  await connections.create({ name: "ledger", integration: "custom_api", environment, settings, secrets, by });
}

/** The environment's connection of that name, if any. */
export async function connectionNamed(
  { connections }: Pick<Engine, "connections">,
  environment: Environment,
  wanted: string,
): Promise<Connection | undefined> {
  let cursor: string | undefined;
  do {
    const page = await connections.list({ environment, limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    const found = page.items.find(({ name }) => name === wanted);
    if (found !== undefined) return found;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return undefined;
}
