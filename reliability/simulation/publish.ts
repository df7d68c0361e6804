import type { SeededRandom } from "@procedo-testing/faults";
import { createEngine, ProcedoError } from "@procedo/engine";
import { loadProcedure } from "@procedo/procedure";
import type { Environment, ProcedureDocument } from "@procedo/contract";
import { webhookEventKey, type Storage } from "@procedo/storage";
import type { SimulatedWebhook } from "./checkers/checker.ts";
import { masterKey } from "./cluster.ts";
import type { History } from "./history.ts";
import { canary, ledgerName, type Ledger } from "./ledger.ts";
import { createMachine } from "./machine.ts";
import type { SimulationOptions } from "./options.ts";
import { randomProcedure } from "./random-procedure.ts";
import type { World } from "./world.ts";

export const workspace = "default";
const version = "v1";
const by = { person: "builder" };

/** The state before the first fault. */
export interface Published {
  readonly procedureIds: readonly string[];
  /** Removes the ledger's connection and creates another one of the same name. */
  replaceConnection(environment: Environment): Promise<void>;
}

/** Creates the connections and publishes the documents of a seed. */
export async function publishRandom(ports: {
  readonly world: World;
  readonly random: SeededRandom;
  readonly history: History;
  readonly storage: Storage;
  readonly ledger: Ledger;
  readonly options: SimulationOptions;
}): Promise<Published> {
  const { random, options } = ports;
  const machine = createMachine(ports.world, "setup", () => 0);
  const engine = createEngine({
    storage: ports.storage,
    integrations: [ports.ledger.integrationFor(machine)],
    masterKey,
    clock: machine.clock,
    random,
  });
  const connect = async (environment: Environment): Promise<void> => {
    const secrets = { token: canary };
    await engine.connections.create({ name: ledgerName, integration: ledgerName, environment, secrets, by });
  };
  for (const environment of ["sandbox", "live"] as const) await connect(environment);
  const ids: string[] = [];
  for (let number = 0; number < options.documents; number++) {
    const procedureId = `procedure-${number}`;
    const document = randomProcedure(random, procedureId, options.nodes);
    const published = await publishAsFar(document, (sound) =>
      engine.procedures.publish({ document: sound, version, defaultIn: ["sandbox", "live"], by }),
    );
    ports.history.procedures.set(`${procedureId}@${version}`, loadProcedure(published));
    ids.push(procedureId);
  }
  return {
    procedureIds: ids,
    replaceConnection: async (environment) => {
      for (const { connectionId } of (await engine.connections.list({ environment, limit: 100 })).items) {
        await engine.connections.remove({ environment, connectionId, by, force: true });
      }
      await connect(environment);
    },
  };
}

/** A random review may cover a call that it does not lead to; its `covers` is then removed. */
async function publishAsFar(
  document: ProcedureDocument,
  publish: (document: ProcedureDocument) => Promise<unknown>,
): Promise<ProcedureDocument> {
  try {
    await publish(document);
    return document;
  } catch (error) {
    if (!ProcedoError.isError(error) || !error.details.every(({ path }) => path.endsWith("/covers"))) throw error;
    const nodes = document.nodes.map((node) => {
      if (node.kind !== "human_review") return node;
      const { covers: _covers, ...rest } = node;
      return rest;
    });
    await publish({ ...document, nodes });
    return { ...document, nodes };
  }
}

/** One webhook subscribes to all events, another one to some. */
export async function subscribe(storage: Storage): Promise<readonly SimulatedWebhook[]> {
  const everything = ["run_completed", "run_failed", "human_review_requested", "custom.done"];
  const webhooks: readonly SimulatedWebhook[] = [
    { webhookId: "whk_live", environment: "live", events: everything },
    { webhookId: "whk_some", environment: "live", events: ["run_failed", "custom.done"] },
    { webhookId: "whk_sandbox", environment: "sandbox", events: everything },
  ];
  for (const { webhookId, environment, events } of webhooks) {
    const keys = events.map((event) => webhookEventKey({ workspace, environment }, event));
    const record = { workspace, environment, kind: "webhook", id: webhookId, body: "{}", uniqueKeys: [], keys };
    await storage.records.put({ record, ifRevision: 0 });
  }
  return webhooks;
}

/** Writes each connection again, so that every process discards its cached connections. */
export async function touch(storage: Storage): Promise<void> {
  const { items } = await storage.records.list({ workspace, kind: "connection", limit: 100 });
  for (const { revision, ...record } of items) await storage.records.put({ record, ifRevision: revision });
}
