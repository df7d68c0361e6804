import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type Client } from "@procedo/client";
import type { Permission, ProcedureDocument } from "@procedo/contract";
import { readSettings, startServer } from "@procedo/server";
import { startLedger, type Ledger } from "@procedo-examples/ledger";
import { openComplianceOffice, type ComplianceOffice } from "./compliance-office.ts";
import { createConnection } from "./create-connection.ts";

/** A service, the ledger for its payments, the compliance office outside its reach, and two people. */
export interface Example {
  /** Starts payments, which the procedure does not let her approve. */
  readonly ana: Client;
  /** Decides reviews. */
  readonly ben: Client;
  readonly ledger: Ledger;
  readonly office: ComplianceOffice;
  close(): Promise<void>;
}

const environment = "sandbox";
const by = { person: "operator", via: "example" };

/** Sets up the example in a temporary folder, which is removed on close. */
export async function openExample(): Promise<Example> {
  const folder = await mkdtemp(join(tmpdir(), "procedo-private-connection-"));
  const closing = [() => rm(folder, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const one of closing.splice(0).reverse()) await one();
  };
  try {
    return { ...(await open(folder, closing)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(folder: string, closing: (() => Promise<void>)[]): Promise<Omit<Example, "close">> {
  const token = "an-example-token-of-no-value";
  const ledger = await startLedger({ dataDir: join(folder, "ledger"), token });
  closing.push(() => ledger.close());
  const settings = readSettings({
    PORT: "0",
    PROCEDO_DATA_DIR: join(folder, "data"),
    PROCEDO_LOG_LEVEL: "error",
    // By default, outgoing requests may reach public addresses only; the ledger is on this machine.
    PROCEDO_ALLOW_NETWORKS: "127.0.0.0/8",
  });
  const server = await startServer({ settings });
  closing.push(() => server.stop());
  const { engine, appUrl, runnerUrl, sdkUrl } = server;
  const keyFor = async (person: string, permissions: Permission[]): Promise<string> =>
    (await engine.keys.create({ name: person, environment, permissions, person, by })).key;
  const [anasKey, bensKey] = [await keyFor("ana", ["run", "manage"]), await keyFor("ben", ["review"])];

  const service = { appUrl, key: anasKey };
  await createConnection(service, {
    name: "ledger",
    integration: "custom_api",
    environment,
    settings: {
      spec: { url: `${ledger.url}/openapi.json` },
      authentication: { method: "bearer_token" },
      idempotencyHeader: "Idempotency-Key",
      effects: { post_payments: "once" },
    },
    secrets: { token },
  });
  const { tokens } = await createConnection(service, { name: "compliance", integration: "private_connection" });
  const officeToken = tokens?.[environment];
  if (officeToken === undefined)
    throw new Error(`The private connection was created without a token of ${environment}.`);
  const office = await openComplianceOffice({ folder: join(folder, "office"), token: officeToken, sdkUrl });
  closing.push(() => office.close());

  // Publishing checks the calls against the registered functions of the client.
  const text = await readFile(new URL("../screened-vendor-payment.json", import.meta.url), "utf8");
  const document = JSON.parse(text) as ProcedureDocument;
  await engine.procedures.publish({ document, version: "1", defaultIn: [environment], by });
  return {
    ana: createClient({ apiKey: anasKey, runnerUrl }),
    ben: createClient({ apiKey: bensKey, runnerUrl }),
    ledger,
    office,
  };
}
