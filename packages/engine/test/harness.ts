/*
 * The harness of these tests: engines over one in-memory storage, with a clock and a bank that the test controls.
 *
 *   @procedo-testing/faults   time, randomness, and a storage that can be cut off
 *   scripted-bank.ts          the outside service
 *   documents.ts              procedures in a short notation
 */
import {
  interruptibleStorage,
  type InterruptibleStorage,
  manualClock,
  type ManualClock,
  seededRandom,
} from "@procedo-testing/faults";
import type { Environment, JsonValue, ProcedureDocument } from "@procedo/contract";
import { createEngine } from "@procedo/engine";
import type {
  DecideRequest,
  Engine,
  EngineOptions,
  Integration,
  PublishRequest,
  Review,
  RunRecordView,
  StartRequest,
} from "@procedo/engine";
import type { Entry } from "@procedo/procedure";
import { createMemoryStorage, type Storage } from "@procedo/storage";
import { scriptedBank, type BankOptions, type ScriptedBank } from "./scripted-bank.ts";

export interface HarnessOptions extends Partial<
  Pick<
    EngineOptions,
    "limits" | "models" | "worker" | "masterKey" | "random" | "egress" | "workspace" | "checkpointMs" | "observe"
  >
> {
  readonly bank?: BankOptions;
  readonly integrations?: readonly Integration[];
  /** @defaultValue true */
  readonly started?: boolean;
  /** How far storage's clock is ahead of the engines'. @defaultValue 0 */
  readonly storageAheadMs?: number;
  /** What all engines share, with this clock. @defaultValue a storage in memory */
  readonly openStorage?: (now: () => number) => Storage | Promise<Storage>;
}

export interface HarnessEngine extends Engine {
  /** The engine's own way to the shared storage. */
  readonly way: InterruptibleStorage;
  /** What it logged: level and message. */
  readonly logged: readonly string[];
  /** The fields of these lines. */
  readonly loggedFields: readonly object[];
}

export interface Harness {
  readonly clock: ManualClock;
  /** What all engines share. */
  readonly storage: Storage;
  readonly bank: ScriptedBank;
  readonly engine: HarnessEngine;
  /** Another engine on the same storage. */
  addEngine(options?: HarnessOptions): Promise<HarnessEngine>;
  publish(document: ProcedureDocument, request?: Partial<PublishRequest>): Promise<void>;
  /** Starts a run of procedure `p` in sandbox and lets it run until time has to pass. */
  run(data?: JsonValue, request?: Partial<StartRequest>): Promise<string>;
  /** Publishes and runs. */
  runOf(document: ProcedureDocument, data?: JsonValue): Promise<string>;
  read(runId: string, environment?: Environment): Promise<RunRecordView>;
  entries(runId: string): Promise<readonly Entry[]>;
  reviews(runId: string): Promise<readonly Review[]>;
  decide(runId: string, decision?: Partial<DecideRequest>): ReturnType<Engine["reviews"]["decide"]>;
}

export const alice = { person: "alice" };
export const bob = { person: "bob", roles: ["reviewer"] };
export const carol = { person: "carol", roles: ["reviewer"] };

export const testKey = new Uint8Array(32).fill(7);

/** From now on the engine sends nothing: deliveries stay as they were written. */
export function holdDeliveries({ way }: HarnessEngine): void {
  way.on("deliveries.claim", async () => ({ deliveries: [], nextDueAtMs: undefined }));
}

let uuids = 0;

/** A UUID version 4 that no other test has. */
export function uuid(): string {
  uuids += 1;
  return `00000000-0000-4000-8000-${uuids.toString(16).padStart(12, "0")}`;
}

export async function createHarness(options: HarnessOptions = {}): Promise<Harness> {
  const clock = manualClock();
  const { storageAheadMs = 0, openStorage = (now) => createMemoryStorage({ now }), ...engineOptions } = options;
  const storage = await openStorage(() => clock.now() + storageAheadMs);
  const bank = scriptedBank(clock, options.bank);
  let engines = 0;

  const addEngine = async (own: HarnessOptions = {}): Promise<HarnessEngine> => {
    const way = interruptibleStorage(storage);
    const logged: string[] = [];
    const loggedFields: object[] = [];
    const say =
      (level: string) =>
      (message: string, fields: object = {}): void => {
        logged.push(`${level}: ${message}`);
        loggedFields.push(fields);
      };
    engines += 1;
    const { started = true, bank: ownBank, integrations = [], egress, ...rest } = { ...engineOptions, ...own };
    const itsBank = own.bank === undefined ? bank : scriptedBank(clock, ownBank);
    const engine = createEngine({
      masterKey: testKey,
      random: seededRandom(engines),
      ...rest,
      egress: { clock, ...egress },
      storage: way.storage,
      integrations: [itsBank.integration, ...integrations],
      clock,
      log: { info: say("info"), warn: say("warn"), error: say("error") },
    });
    if (started) await engine.start();
    return { ...engine, way, logged, loggedFields };
  };
  const engine = await addEngine();

  const harness: Harness = {
    clock,
    storage,
    bank,
    engine,
    addEngine,
    publish: async (document, request = {}) => {
      await engine.procedures.publish({ document, version: "v1", by: alice, ...request });
    },
    run: async (data = {}, request = {}) => {
      const { runId } = await engine.runs.start({
        procedureId: "p",
        environment: "sandbox",
        data,
        by: alice,
        ...request,
      });
      await clock.settle();
      return runId;
    },
    runOf: async (document, data) => {
      await harness.publish(document);
      return await harness.run(data, { procedureId: document.procedureId });
    },
    read: (runId, environment = "sandbox") => engine.runs.get({ environment, runId }),
    entries: async (runId) => {
      const rows = await engine.runs.journal({ environment: "sandbox", runId });
      return rows.flatMap(({ entries }) => entries);
    },
    reviews: (runId) => engine.reviews.ofRun({ environment: "sandbox", runId }),
    decide: async (runId, decision = {}) => {
      const decided = await engine.reviews.decide({
        environment: "sandbox",
        runId,
        approved: true,
        idempotencyKey: uuid(),
        by: bob,
        ...decision,
      });
      await clock.settle();
      return decided;
    },
  };
  return harness;
}
