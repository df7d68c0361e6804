import type { Environment } from "@procedo/contract";
import type { Connection, Engine } from "@procedo/engine";
import { connectionNamed, type LedgerAccess } from "./connect-ledger.ts";
import { ledgerEvents } from "./ledger-events.ts";

const by = { person: "operator", via: "example" };

/**
 * Connects an environment to the events of the ledger. A connection from an earlier start is kept, and with it the
 * address to which the ledger sends.
 *
 * @returns the last segment of that address
 */
export async function connectLedgerEvents(
  { connections }: Engine,
  environment: Environment,
  { url, token, signingSecret }: LedgerAccess & { readonly signingSecret: string },
): Promise<string> {
  const given = { settings: { baseUrl: url }, secrets: { signingSecret, token } };
  const name = ledgerEvents.name;
  const known = await connectionNamed({ connections }, environment, name);
  if (known === undefined) {
    return addressOf(await connections.create({ name, integration: name, environment, ...given, by }));
  }
  const { connectionId } = known;
  if (known.settings["baseUrl"] !== url) await connections.update({ environment, connectionId, ...given, by });
  return addressOf(known);
}

function addressOf({ inbound }: Connection): string {
  if (inbound === undefined) throw new Error("The connection has no inbound address.");
  return inbound.address;
}
