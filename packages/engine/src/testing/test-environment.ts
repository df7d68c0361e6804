import type { Environment, JsonObject, JsonValue, ProcedureDocument } from "@procedo/contract";
import type { InputOf, RunLimits } from "@procedo/procedure";
import { createMemoryStorage } from "@procedo/storage";
import type { Principal } from "../access/principal.ts";
import type { Engine } from "../engine.ts";
import { createEngine } from "../create-engine.ts";
import type { EgressOptions } from "../egress/egress.ts";
import { movedClock } from "./moved-clock.ts";
import { createMovedTime } from "./moved-time.ts";
import { repeatableRandom } from "./repeatable-random.ts";
import { serveFunctions } from "./served-functions.ts";
import { testConnections, type ConnectionOptions } from "./test-connections.ts";
import { TestingError } from "./testing-error.ts";
import { TestRun } from "./test-run.ts";
import { modelsOf, watchedModels, type TestModels } from "./watched-models.ts";
import { createWorkUnderWay } from "./work-under-way.ts";
import { silentLog } from "../ports/log.ts";

/** Connections, models and time of a test's environment. */
export interface TestEnvironmentOptions<Document extends ProcedureDocument | JsonObject> extends ConnectionOptions {
  /** The procedure to test, as `defineProcedure` returns it or as JSON. */
  readonly document: Document;
  /** The environment of the runs. @defaultValue "sandbox" */
  readonly environment?: Environment;
  /** The initial time, as an ISO 8601 date with time and zone. @defaultValue "2026-01-02T12:00:00Z", a Friday */
  readonly startsAt?: string;
  /**
   * Whether time is advanced at once while a run waits only for time: a retry, an unanswered call. It is never advanced
   * while a person is asked. @defaultValue "skips"
   */
  readonly time?: "skips" | "stands";
  /** The models of agents: one for everything, or several as in the engine's options. @defaultValue none */
  readonly models?: TestModels;
  /** Limits of one run. @defaultValue those of every engine */
  readonly limits?: Partial<RunLimits>;
  /** Allowed destinations of real actions. @defaultValue public addresses only */
  readonly egress?: EgressOptions;
}

/** Options of a run in a test. */
export interface TestRunOptions<Document extends ProcedureDocument | JsonObject> {
  /** The run's data. @defaultValue `{}` */
  readonly input?: InputFor<Document>;
  /** The principal that starts it. @defaultValue a person named "starter" */
  readonly by?: Principal;
}

/** The type of a run's data if the document has one, as documents of `defineProcedure` do. */
export type InputFor<Document> = [InputOf<Document>] extends [never] ? JsonValue : InputOf<Document>;

/** An engine with in-memory storage, on the test's clock. */
export interface TestEnvironment<Document extends ProcedureDocument | JsonObject> {
  /** Starts a run, and waits until it has ended or waits for a person. @throws ProcedoError of `runs.start` */
  run(options?: TestRunOptions<Document>): Promise<TestRun>;
  /** Advances time for all runs by an ISO 8601 duration. */
  advance(duration: string): Promise<void>;
  /** The current time of the test, as an ISO 8601 date. */
  now(): string;
  /** The engine, for other assertions. */
  readonly engine: Engine;
  /** Stops the engine. Only needed with real connections, so that the process ends at once. */
  close(): Promise<void>;
}

const hourMs = 3_600_000;
const someone = { person: "starter" };

/**
 * Publishes a procedure in a new engine, for several runs that depend on each other. For a single run, use {@link
 * testProcedure}.
 *
 * @throws ProcedoError `invalid_document` with every problem, as on publication;
 *   `invalid_configuration` for fakes and connections without a matching action or integration
 * @example
 * ```ts
 * import { defineProcedure } from "@procedo/engine";
 * import { createTestEnvironment } from "@procedo/engine/testing";
 *
 * const document = defineProcedure({
 *   procedureId: "greeting",
 *   name: "Greeting",
 *   input: { type: "object" },
 *   nodes: { start: { kind: "start", next: "done" }, done: { kind: "end", output: { text: "Hello" } } },
 * });
 * const environment = await createTestEnvironment({ document });
 * const run = await environment.run();
 * console.log(run.output); // { text: "Hello" }
 * ```
 */
export async function createTestEnvironment<Document extends ProcedureDocument | JsonObject>(
  options: TestEnvironmentOptions<Document>,
): Promise<TestEnvironment<Document>> {
  const { document, environment = "sandbox", startsAt = "2026-01-02T12:00:00Z", time: passes = "skips" } = options;
  const startMs = Date.parse(startsAt);
  if (Number.isNaN(startMs)) throw new TestingError(`startsAt is "${startsAt}". Give an ISO 8601 date.`);
  const clock = movedClock(startMs);
  const random = repeatableRandom();
  const work = createWorkUnderWay(() => clock.stir());
  const storage = createMemoryStorage({ now: () => clock.now() });
  storage.watch(() => clock.stir());
  const connections = testConnections({ clock, work }, options);
  const engine = createEngine({
    storage,
    integrations: connections.integrations,
    masterKey: new Uint8Array(32),
    clock,
    random,
    log: silentLog,
    observe: () => clock.stir(),
    // There is only one engine: frequent polling would only slow down tests that advance time by a month.
    worker: { leaseMs: hourMs, pollMs: hourMs },
    checkpointMs: Infinity,
    ...(options.models !== undefined && { models: watchedModels(modelsOf(options.models), work) }),
    ...(options.limits !== undefined && { limits: options.limits }),
    ...(options.egress !== undefined && { egress: options.egress }),
  });
  const by = { person: "builder" };
  for (const connection of connections.create) await engine.connections.create({ ...connection, environment, by });
  for (const { name, fakes } of connections.serve) {
    await serveFunctions({ clock, work, engine, storage }, name, environment, fakes);
  }
  const { procedureId } = await engine.procedures.publish({
    document,
    version: "test",
    defaultIn: [environment],
    by,
  });
  await engine.start();
  // Connections and documents do not influence the runs' ids: a replay has the same ids as its recording.
  random.beginRuns();

  let uuids = 0;
  const scope = { workspace: "default", environment };
  const time = createMovedTime({
    clock,
    work,
    time: passes,
    statusOf: async (runId) => (await storage.runs.get({ scope, runId }))?.status ?? "failed",
    quarantineReason: (runId) => engine.runs.quarantinedRuns().find((one) => one.runId === runId)?.error,
  });
  const ports = {
    engine,
    environment,
    time,
    uuid: () => {
      uuids += 1;
      return `00000000-0000-4000-8000-${uuids.toString(16).padStart(12, "0")}`;
    },
  };

  return {
    engine,
    run: async ({ input, by: starter = someone } = {}) => {
      const data: unknown = input ?? {};
      const started = await engine.runs.start({ procedureId, environment, data: data as JsonValue, by: starter });
      return await TestRun.of(ports, started.runId);
    },
    advance: (duration) => time.advance(duration),
    now: () => new Date(clock.now()).toISOString(),
    close: () => engine.stop({ drainMs: 0 }),
  };
}
