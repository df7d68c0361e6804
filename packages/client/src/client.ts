import type { Change, Environment, RunAccepted } from "@procedo/contract";
import { checkOptions, type ClientOptions } from "./client-options.ts";
import { type Connections, createConnections } from "./connections.ts";
import { type ChangesOptions, createFollowChanges } from "./follow-changes.ts";
import type { AnyProcedures, ProcedureMap, RunOf, RunReplyOf } from "./procedure-types.ts";
import { createReviews, type Reviews } from "./reviews.ts";
import { createRuns, type GetRunOptions, type Runs } from "./runs.ts";
import { type Runtime, systemRuntime } from "./runtime.ts";
import { createService } from "./service.ts";
import { createRunStarter, type RunRequest, type StartRequest } from "./start-run.ts";
import type { WaitOptions } from "./wait-for-run.ts";

/** One procedure, with the types of its input and output. */
export interface ProcedureClient<Input extends object, Output extends object> {
  /** Starts a run; it is durable once this resolves. See {@link Client.start}. */
  start(request: StartRequest<Input>): Promise<RunAccepted>;
  /** Starts a run and waits for its end. See {@link Client.run}. */
  run(request: RunRequest<Input>): Promise<RunReplyOf<Output>>;
  /** A run of this procedure. See {@link Runs.get}. */
  get(runId: string, options?: GetRunOptions): Promise<RunOf<Output>>;
  /** Waits for a run of this procedure. See {@link Runs.wait}. */
  wait(runId: string, options?: WaitOptions): Promise<RunOf<Output>>;
}

/**
 * Starts procedures of one environment and follows their runs. Every failure is a `ProcedoError` with the code that the
 * service gave, or `upstream_unreachable` when no answer came.
 */
export interface Client<Procedures extends ProcedureMap = AnyProcedures> {
  /** Of the key. */
  readonly environment: Environment;
  /**
   * Starts a run. When this resolves, the run is durable and executes asynchronously.
   *
   * @throws ProcedoError `procedure_not_found`, `version_not_found`, `invalid_input` with every violation in `details`,
   *   `idempotency_conflict`, `permission_denied`, `unauthorized`, `upstream_unreachable`
   */
  start<Id extends keyof Procedures & string>(
    procedureId: Id,
    request: StartRequest<Procedures[Id]["input"]>,
  ): Promise<RunAccepted>;
  /**
   * Starts a run and waits until it ends, waits for a decision, or the timeout expires: narrow by `status`. A `timeout` is
   * an answer, not an error: the run continues. Wait for it with `runs.wait`.
   *
   * @throws ProcedoError as {@link Client.start}
   */
  run<Id extends keyof Procedures & string>(
    procedureId: Id,
    request: RunRequest<Procedures[Id]["input"]>,
  ): Promise<RunReplyOf<Procedures[Id]["output"]>>;
  /** One procedure of the client's map, or any with types of its own. */
  procedure<Id extends keyof Procedures & string>(
    procedureId: Id,
  ): ProcedureClient<Procedures[Id]["input"], Procedures[Id]["output"]>;
  procedure<Input extends object, Output extends object>(procedureId: string): ProcedureClient<Input, Output>;
  /** Reads, lists, waits for and cancels runs. */
  readonly runs: Runs;
  /** Reads and lists reviews, and decides them. */
  readonly reviews: Reviews;
  /** Authorizes connections by OAuth. */
  readonly connections: Connections;
  /**
   * Follows the changes of the environment: each names something to read again, and never contains the state itself. A
   * change without an `id` names everything of its kind, and `resync` everything. The first one is a `resync`; a caller
   * that reads everything then, and afterwards what the changes name, misses nothing.
   *
   * The iteration does not end. Lost connections are replaced, for as long as it takes, and followed by a `resync` if
   * changes were missed. A key has at most 20 streams at a time.
   *
   * @throws ProcedoError `upstream_unreachable` when the service was never reached, `unauthorized` also when the key is
   *   deleted, `rate_limited`; the signal's reason
   * @example
   * ```ts
   * import { createClient } from "@procedo/client";
   *
   * const client = createClient({ apiKey: process.env["PROCEDO_KEY"] ?? "", runnerUrl: "https://procedo.example.com" });
   * for await (const { kind, id } of client.changes()) {
   *   if (kind === "review" && id !== undefined) console.log((await client.reviews.get(id)).title);
   * }
   * ```
   */
  changes(options?: ChangesOptions): AsyncIterable<Change>;
}

/**
 * A client for the key's environment.
 *
 * @throws ProcedoError `invalid_configuration`
 * @example
 * ```ts
 * import { createClient } from "@procedo/client";
 *
 * const client = createClient({ apiKey: process.env["PROCEDO_KEY"] ?? "", runnerUrl: "https://procedo.example.com" });
 * const { runId } = await client.start("vendor-payment", { data: { invoice: "INV-1" } });
 * const run = await client.runs.wait(runId);
 * console.log(run.status);
 * ```
 */
export function createClient<Procedures extends ProcedureMap = AnyProcedures>(
  options: ClientOptions,
): Client<Procedures> {
  return assembleClient<Procedures>(options, systemRuntime);
}

/** {@link createClient} with a runtime of one's own. */
export function assembleClient<Procedures extends ProcedureMap>(
  options: ClientOptions,
  runtime: Runtime,
): Client<Procedures> {
  const checked = checkOptions(options);
  const service = createService(checked, runtime);
  const starter = createRunStarter(service, checked, runtime);
  const runs = createRuns(service, checked, runtime);
  // The service keeps to the procedure's own schemas; that a type says the same is the caller's claim.
  const procedure = <Input extends object, Output extends object>(procedureId: string) =>
    ({
      start: (request) => starter.start(procedureId, request),
      run: (request) => starter.run(procedureId, request),
      get: (runId, given) => runs.get(runId, given),
      wait: (runId, given) => runs.wait(runId, given),
    }) as ProcedureClient<Input, Output>;
  return {
    environment: checked.environment,
    start: (procedureId, request) => starter.start(procedureId, request),
    run: (procedureId, request) => starter.run(procedureId, request),
    procedure,
    runs,
    reviews: createReviews(service, checked, runtime),
    connections: createConnections(service, checked),
    changes: createFollowChanges(checked, runtime),
  };
}
