import type { JsonObject, ProcedureDocument } from "@procedo/contract";
import { createEngine, systemClock, type Clock, type Engine, type SavedConnection } from "@procedo/engine";
import { createMemoryStorage, type Storage } from "@procedo/storage";
import { onTestFinished } from "vitest";
import { customApi } from "../../src/index.ts";
import { recordingServer, type RecordingServer } from "../calls/recording-server.ts";

export const by = { person: "ana" };
export const sandbox = { environment: "sandbox" } as const;

export interface LedgerEngine {
  readonly engine: Engine;
  readonly storage: Storage;
  /** The ledger's API behind the engine's calls. */
  readonly server: RecordingServer;
  /** The engine's log. */
  readonly logged: readonly unknown[];
  connect(settings: JsonObject, secrets?: Readonly<Record<string, string>>): Promise<SavedConnection>;
  /** Publishes and runs the procedure; resolves with the run's outcome. */
  run(document: ProcedureDocument, data?: JsonObject): ReturnType<Engine["runs"]["get"]>;
}

/** Factor by which the engine's clock is faster than real time. */
const haste = 10;

/** A real engine and a real server on this machine. */
export async function ledgerEngine(): Promise<LedgerEngine> {
  const startedAtMs = systemClock.now();
  const fast = (ms: number) => ms * haste;
  const clock: Clock = {
    ...systemClock,
    now: () => startedAtMs + fast(systemClock.now() - startedAtMs),
    monotonic: () => fast(systemClock.monotonic()),
    after: (delayMs, callback) => systemClock.after(delayMs / haste, callback),
  };
  const logged: unknown[] = [];
  const log = (...line: readonly unknown[]) => void logged.push(line);
  const storage = createMemoryStorage({ now: clock.now });
  const server = await recordingServer();
  const engine = createEngine({
    storage,
    integrations: [customApi()],
    masterKey: new Uint8Array(32).fill(7),
    egress: { allowNetworks: ["127.0.0.0/8"] },
    clock,
    log: { info: log, warn: log, error: log },
  });
  await engine.start();
  onTestFinished(async () => {
    await engine.stop();
    await server.close();
  });
  let versions = 0;
  return {
    engine,
    storage,
    server,
    logged,
    connect: (settings, secrets = {}) =>
      engine.connections.create({ name: "ledger", integration: "custom_api", ...sandbox, settings, secrets, by }),
    run: async (document, data = {}) => {
      versions += 1;
      await engine.procedures.publish({ document, version: `v${versions}`, defaultIn: ["sandbox"], by });
      const { procedureId } = document;
      const { runId } = await engine.runs.execute({ procedureId, ...sandbox, data, by });
      return engine.runs.get({ ...sandbox, runId });
    },
  };
}

/** One tool call of the ledger. Its response or error is the run's output. */
export function callDocument(action: string, args: JsonObject, node: JsonObject = {}): ProcedureDocument {
  return {
    schemaVersion: 1,
    procedureId: "p",
    name: "P",
    input: { type: "object" },
    nodes: [
      { id: "start", kind: "start" },
      { id: "it", kind: "tool_call", connection: "ledger", action, arguments: args, ...node },
      { id: "done", kind: "end", output: { answer: "{{ nodes.it.output }}" } },
      { id: "failed", kind: "end", output: { error: "{{ nodes.it.error }}" } },
    ],
    edges: [
      { from: "start", to: "it" },
      { from: "it", to: "done" },
      { from: "it", branch: "error", to: "failed" },
    ],
  };
}
