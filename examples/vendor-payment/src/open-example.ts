import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProcedureDocument } from "@procedo/contract";
import { createEngine, masterKeyFile, type Engine } from "@procedo/engine";
import { SqliteStorage } from "@procedo/storage-sqlite";
import { ledgerIntegration } from "./ledger-integration.ts";
import { openLedgerOffice, type LedgerOffice } from "./ledger-office.ts";

/** A ledger in a process of its own, and an engine with the procedure and a connection to that ledger. */
export interface Example {
  readonly engine: Engine;
  readonly ledger: LedgerOffice;
  close(): Promise<void>;
}

const token = "an-example-token-of-no-value";
const by = { person: "olga" };

/** Sets everything up in a temporary folder, which goes with it again. */
export async function openExample(): Promise<Example> {
  const folder = await mkdtemp(join(tmpdir(), "procedo-vendor-payment-"));
  const ledger = await openLedgerOffice(join(folder, "ledger"), token);
  const storage = await SqliteStorage.open({ path: join(folder, "procedo.sqlite") });
  const engine = createEngine({
    storage,
    integrations: [ledgerIntegration],
    masterKey: await masterKeyFile(join(folder, "procedo.key")),
    // Integrations reach public addresses only; this ledger is on this machine.
    outgoing: { allowNetworks: ["127.0.0.0/8"] },
  });
  await engine.start();
  await engine.connections.create({
    name: "ledger",
    integration: "ledger",
    environment: "sandbox",
    settings: { baseUrl: ledger.url },
    secrets: { token },
    by,
  });
  const text = await readFile(new URL("../vendor-payment.json", import.meta.url), "utf8");
  const document = JSON.parse(text) as ProcedureDocument;
  await engine.procedures.publish({ document, version: "1", defaultIn: ["sandbox"], by });

  return {
    engine,
    ledger,
    close: async () => {
      await engine.stop();
      await storage.close();
      await ledger.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
