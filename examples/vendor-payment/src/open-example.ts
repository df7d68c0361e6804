import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type Client } from "@procedo/client";
import { readSettings, startServer } from "@procedo/server";
import { connectLedger } from "./connect-ledger.ts";
import { connectLedgerEvents } from "./connect-ledger-events.ts";
import { createWebhook } from "./create-webhook.ts";
import { ledgerEvents } from "./ledger-events.ts";
import { openLedgerOffice, type LedgerOffice } from "./ledger-office.ts";
import {
  ana,
  ben,
  makeFirstKeys,
  publishDueInvoices,
  publishMailedPayment,
  publishVendorPayment,
} from "./prepare-workspace.ts";
import { receiverAt } from "./set-receiver.ts";
import { triggersApi, type TriggersApi } from "./triggers-api.ts";
import { openReceiver, type Receiver } from "./webhook-receiver.ts";

/** A service, the ledger for its payments, two people with their own keys, and a receiver of webhooks. */
export interface Example {
  /** Starts payments, which the procedure does not let her approve. */
  readonly ana: Client;
  /** Decides reviews. */
  readonly ben: Client;
  readonly ledger: LedgerOffice;
  /** Triggers, which Ana creates. */
  readonly triggers: TriggersApi;
  readonly receiver: Receiver;
  /** Folder of the data and the books. */
  readonly folder: string;
  close(): Promise<void>;
}

const token = "an-example-token-of-no-value";
const signingSecret = "an-example-signing-secret-of-no-value";
const environment = "sandbox";

/**
 * Sets up the example in a temporary folder, which is removed on close. With models in the settings, `mailed-payment`
 * is published too.
 *
 * @param more settings of the service, as environment variables @defaultValue none
 */
export async function openExample(more: Readonly<Record<string, string>> = {}): Promise<Example> {
  const folder = await mkdtemp(join(tmpdir(), "procedo-vendor-payment-"));
  const ledger = await openLedgerOffice(join(folder, "ledger"), token);
  const receiver = await openReceiver();
  const settings = readSettings({
    PORT: "0",
    PROCEDO_DATA_DIR: join(folder, "data"),
    PROCEDO_LOG_LEVEL: "error",
    // By default, outgoing requests may reach public addresses only; ledger and receiver are on this machine.
    PROCEDO_ALLOW_NETWORKS: "127.0.0.0/8",
    ...more,
  });
  const server = await startServer({ settings, integrations: [ledgerEvents] });
  const access = { url: ledger.url, token, signingSecret };
  await connectLedger(server.engine, environment, access);
  const address = await connectLedgerEvents(server.engine, environment, access);
  await ledger.sendEventsTo(receiverAt({ appUrl: server.appUrl, address, signingSecret }));
  await publishVendorPayment(server.engine, [environment]);
  await publishDueInvoices(server.engine, [environment]);
  await publishMailedPayment(server.engine, [environment]);
  const keys = await makeFirstKeys(server.engine);
  const keyOf = (person: string): string => {
    const found = keys.find((key) => key.person === person && key.environment === environment);
    if (found === undefined) throw new Error(`${person} has no key.`);
    return found.key;
  };
  const { runnerUrl } = server;
  receiver.trust(await createWebhook({ appUrl: server.appUrl, key: keyOf(ana), url: receiver.url }));

  return {
    ana: createClient({ apiKey: keyOf(ana), runnerUrl }),
    ben: createClient({ apiKey: keyOf(ben), runnerUrl }),
    ledger,
    triggers: triggersApi({ appUrl: server.appUrl, key: keyOf(ana) }),
    receiver,
    folder,
    close: async () => {
      await server.stop();
      await receiver.close();
      await ledger.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
