import type { Environment } from "@procedo/contract";
import type { Connection, Engine } from "@procedo/engine";

/** Where the ledger's own document is, and the key to it. */
export interface LedgerAccess {
  readonly url: string;
  readonly token: string;
}

const by = { person: "operator", via: "example" };

/**
 * Connects an environment to the ledger by the ledger's own OpenAPI document: its operations are the actions that the
 * procedure calls. A connection of an earlier start stays, and goes where the ledger is by now.
 */
export async function connectLedger(
  { connections }: Engine,
  environment: Environment,
  { url, token }: LedgerAccess,
): Promise<void> {
  const spec = { url: `${url}/openapi.json` };
  const authentication = { method: "bearer_token" };
  // The ledger honours keys, so "idempotent" would be true as well. Here money moves again only when a person says so.
  const settings = { spec, authentication, idempotencyHeader: "Idempotency-Key", effects: { post_payments: "once" } };
  const secrets = { token };
  const known = await ledgerConnection({ connections }, environment);
  if (known?.integration === "custom_api") {
    const { connectionId } = known;
    if (known.settings["baseUrl"] === url) return;
    // Named beside the document: the service does not move on its own to another server that a document names.
    await connections.update({ environment, connectionId, settings: { spec, baseUrl: url }, secrets, by });
    return;
  }
  // One that code made, before the ledger's document did.
  if (known !== undefined) {
    await connections.remove({ environment, connectionId: known.connectionId, by, force: true });
  }
  await connections.create({ name: "ledger", integration: "custom_api", environment, settings, secrets, by });
}

/** The environment's connection to the ledger, if there is one. */
export async function ledgerConnection(
  { connections }: Pick<Engine, "connections">,
  environment: Environment,
): Promise<Connection | undefined> {
  let cursor: string | undefined;
  do {
    const page = await connections.list({ environment, limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    const found = page.items.find(({ name }) => name === "ledger");
    if (found !== undefined) return found;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return undefined;
}
