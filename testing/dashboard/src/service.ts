import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AccessRole, Environment, JsonValue } from "@procedo/contract";
import type { CodedIntegration, Engine } from "@procedo/engine";
import { readSettings, startServer } from "@procedo/server";
import { createBank, type Bank } from "./bank.ts";
import { startClearing, type Clearing } from "./clearing.ts";
import { ledger } from "./ledger.ts";
import { startModel } from "./model.ts";
import { documents } from "./documents/index.ts";

/** A person who has joined. */
export interface ServicePerson {
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

/** A server with the dashboard, on a data folder of its own. */
export interface Service {
  readonly url: string;
  readonly engine: Engine;
  readonly bank: Bank;
  readonly clearing: Clearing;
  /** Invites a person and accepts the invitation. */
  join(name: string, access: Partial<Record<Environment, readonly AccessRole[]>>): Promise<ServicePerson>;
  /** Starts a run and waits until it ends or waits for a person. Returns its id. */
  run(procedureId: string, data: Readonly<Record<string, JsonValue>>, environment?: Environment): Promise<string>;
  /** Ends the server, and starts it again at the same address with the same data. {@link engine} is another one then. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const operator = { person: "operator", via: "test" };
const password = "correct horse battery";

/**
 * Starts a server and publishes the procedures of {@link documents} in both environments.
 *
 * @param others integrations beside those of the documents
 */
export async function startService(others: readonly CodedIntegration[] = []): Promise<Service> {
  const dataDir = mkdtempSync(join(tmpdir(), "procedo-dashboard-"));
  const bank = createBank();
  const clearing = await startClearing();
  const model = await startModel();
  const variables = (port: string) => ({
    PORT: port,
    PROCEDO_DATA_DIR: dataDir,
    PROCEDO_LOG_LEVEL: "silent",
    PROCEDO_ALLOW_NETWORKS: "127.0.0.0/8",
    PROCEDO_MODEL: "compatible:clerk-1",
    PROCEDO_MODEL_URL: model.url,
  });
  const integrations = [bank.integration, ledger, ...others];
  const start = (port: string) => startServer({ settings: readSettings(variables(port)), integrations });
  let server = await start("0");
  const url = server.appUrl;
  const { engine } = server;
  await engine.connections.create({ name: "bank", integration: "bank", environment: "sandbox", by: operator });
  for (const environment of ["sandbox", "live"] as const) {
    const integration = "custom_api";
    const spec = { url: clearing.documentUrl };
    const settings = { spec, authentication: { method: "none" }, idempotencyHeader: "Idempotency-Key" };
    await engine.connections.create({ name: "clearing", integration, environment, settings, by: operator });
  }
  for (const document of documents) {
    await engine.procedures.publish({ document, version: "1", by: operator });
    for (const environment of ["sandbox", "live"] as const) {
      const { procedureId } = document;
      await engine.procedures.setDefault({ procedureId, environment, version: "1", by: operator });
    }
  }
  return {
    url,
    get engine() {
      return server.engine;
    },
    bank,
    clearing,
    join: async (name, access) => {
      const email = `${name.toLowerCase().replaceAll(" ", ".")}@acme.example`;
      const { people } = server.engine;
      const { token } = await people.invite({ email, access, by: operator });
      await people.accept({ token, name, password });
      return { email, name, password };
    },
    run: async (procedureId, data, environment = "sandbox") => {
      const by = { person: "ana@acme.example" };
      const { runId } = await server.engine.runs.execute({ procedureId, environment, data, by });
      return runId;
    },
    restart: async () => {
      await server.stop({ drainMs: 0 });
      server = await start(new URL(url).port);
    },
    stop: async () => {
      await server.stop({ drainMs: 0 });
      await clearing.stop();
      await model.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
