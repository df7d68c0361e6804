import { createEngine, masterKeyFile, type Engine } from "@procedo/engine";
import type { Storage } from "@procedo/storage";
import { PostgresStorage } from "@procedo/storage-postgres";
import { SqliteStorage } from "@procedo/storage-sqlite";
import { remoteModel } from "./remote-model.ts";
import type { LoopPoint } from "./loop-points.ts";
import { loopIntegration } from "./loop-integration.ts";
import { boundedProcedure } from "../limits/bounded-procedure.ts";
import { loopProcedure } from "./loop-procedure.ts";
import type { CellMessage, CellSetup, LoopStart } from "./process-protocol.ts";
import { withStops } from "./stopping-storage.ts";
import { createStops } from "./stops.ts";
import { workOff } from "./work-off.ts";

const environment = "sandbox";
const by = { person: "starter" };

/** One database with its engine in a process that will be killed. Makes the given starts, and decides the reviews. */
export interface Cell {
  arm(point: LoopPoint): void;
  /** Returns at once; a message reports the end. */
  work(starts: readonly LoopStart[]): void;
}

export async function openCell(setup: CellSetup, tell: (message: CellMessage) => void): Promise<Cell> {
  const { cell } = setup;
  const stops = createStops(() => tell({ type: "reached", cell }));
  stops.arm(setup.point);
  const model = { model: remoteModel(setup.modelUrl, stops) };
  const engine = createEngine({
    storage: withStops(await openStorage(setup), stops),
    integrations: [loopIntegration(stops)],
    masterKey: await masterKeyFile(setup.keyPath),
    models: { arguments: model, questions: model },
    egress: { allowNetworks: ["127.0.0.0/8"] },
    worker: { leaseMs: setup.leaseMs, pollMs: 100, sendWindowMs: 400 },
  });
  await prepare(engine, setup);
  await engine.start();
  const work = (starts: readonly LoopStart[]): void => {
    workOff(engine, setup, starts).then(
      () => tell({ type: "idle", cell }),
      (error: unknown) => tell({ type: "failed", cell, message: String(error) }),
    );
  };
  return { arm: stops.arm, work };
}

/** Performs the setup of a new database. An earlier process may have died at any of its steps. */
async function prepare(
  { connections, procedures }: Engine,
  { bankUrl, bankToken, procedure }: CellSetup,
): Promise<void> {
  if ((await connections.list({ environment, limit: 1 })).items.length === 0) {
    const given = { settings: { baseUrl: bankUrl }, secrets: { token: bankToken } };
    await connections.create({ name: "bank", integration: "bank", environment, ...given, by });
  }
  if ((await procedures.list({ limit: 1 })).items.length === 0) {
    const document = procedure === "loop" ? loopProcedure : boundedProcedure;
    await procedures.publish({ document, version: "1", defaultIn: [environment], by });
  }
}

/** A file by its path, or a Postgres database by its address. */
function openStorage({ database }: CellSetup): Promise<Storage> {
  return database.startsWith("postgres") ? PostgresStorage.connect(database) : SqliteStorage.open({ path: database });
}
