import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type Client } from "@procedo/client";
import { createBrowser } from "@procedo-testing/oauth-server";
import { slack, stripe } from "@procedo/integrations/services";
import { readSettings, startServer } from "@procedo/server";
import { ana, ben, makeFirstKeys } from "@procedo-examples/vendor-payment/prepare-workspace";
import { triggersApi, type TriggersApi } from "@procedo-examples/vendor-payment/triggers-api";
import { openServices, type Services } from "./open-services.ts";
import { payoutMatching } from "./payout-matching.ts";
import { connectServices, publishReconciliation } from "./prepare-procedure.ts";

/** A server with the procedure, the services that it calls, and two people with their own keys. */
export interface Example {
  /** Owns the trigger, so that its runs start for her. */
  readonly ana: Client;
  /** Decides reviews. */
  readonly ben: Client;
  /** Triggers, which Ana creates and fires. */
  readonly triggers: TriggersApi;
  readonly services: Services;
  /** Ana authorizes the bank's connection in a browser: she signs in at the bank, and agrees. */
  authorizeBank(): Promise<void>;
  /** Folder of the server's data. */
  readonly dataDir: string;
  close(): Promise<void>;
}

const environment = "sandbox";

/** Sets up the example in a temporary folder, which is removed on close. */
export async function openExample(): Promise<Example> {
  const dataDir = await mkdtemp(join(tmpdir(), "procedo-payout-reconciliation-"));
  const services = await openServices();
  const settings = readSettings({
    PORT: "0",
    PROCEDO_DATA_DIR: dataDir,
    PROCEDO_LOG_LEVEL: "error",
    // By default, outgoing requests may reach public addresses only; the fakes are on this machine.
    PROCEDO_ALLOW_NETWORKS: "127.0.0.0/8",
  });
  const integrations = [
    payoutMatching,
    stripe({ baseUrl: services.stripe.url }),
    slack({ baseUrl: services.slack.url }),
  ];
  const server = await startServer({ settings, integrations });
  const { secretKey } = services.stripe;
  const { botToken } = services.slack;
  const { bank } = services;
  const bankId = await connectServices(server.engine, environment, { secretKey, botToken, bank });
  await publishReconciliation(server.engine, environment);
  const keys = await makeFirstKeys(server.engine);
  const keyOf = (person: string): string => {
    const found = keys.find((key) => key.person === person && key.environment === environment);
    if (found === undefined) throw new Error(`${person} has no key.`);
    return found.key;
  };
  const { runnerUrl, appUrl } = server;
  const clientOfAna = createClient({ apiKey: keyOf(ana), runnerUrl });
  bank.authorization.allowRedirect(`${appUrl}/oauth/callback`);
  const authorizeBank = async (): Promise<void> => {
    const { url } = await clientOfAna.connections.authorize(bankId);
    const page = await createBrowser().open(url);
    if (page.status !== 200) throw new Error(`The bank's connection was not authorized: ${page.text}`);
  };
  await authorizeBank();
  return {
    ana: clientOfAna,
    ben: createClient({ apiKey: keyOf(ben), runnerUrl }),
    triggers: triggersApi({ appUrl, key: keyOf(ana) }),
    services,
    authorizeBank,
    dataDir,
    close: async () => {
      await server.stop();
      await services.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
