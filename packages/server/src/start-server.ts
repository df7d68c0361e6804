/*
 * The reference server: storage, engine and HTTP in one process.
 *
 * settings/          reads and checks the environment
 * open-data.ts       storage and master key: data-folder.ts (SQLite) or shared-database.ts (Postgres)
 * server-engine.ts   the engine on this data; server-models.ts: the models of its agents
 * sign-in/           sign-in at an identity provider
 * observe/           log, metrics and spans, derived from durable records
 * start-server.ts    starts and stops these parts; run-until-stopped.ts: stops on a signal
 * command/           the procedo command
 */
import { trace } from "@opentelemetry/api";
import { checkOptionNames, kindOf, ProcedoError, type OptionNames } from "@procedo/contract";
import type { Engine, Integration } from "@procedo/engine";
import { dashboardSite } from "@procedo/dashboard";
import {
  createHttp,
  serveNode,
  type Deployment,
  type Http,
  type NodeListenerOptions,
  type RequestDone,
} from "@procedo/http";
import type { Storage } from "@procedo/storage";
import manifest from "../package.json" with { type: "json" };
import { createLog, type ServerLog } from "./observe/log.ts";
import { createMetrics, type Metrics } from "./observe/metrics.ts";
import { metricsListener, serveMetrics } from "./observe/metrics-listener.ts";
import { createRunLog } from "./observe/run-log.ts";
import { createRunSpans } from "./observe/run-spans.ts";
import { createTriggerLog } from "./observe/trigger-log.ts";
import { watchDeliveries } from "./observe/watch-deliveries.ts";
import { watchFirings } from "./observe/watch-firings.ts";
import { openToServe } from "./open-data.ts";
import { createServerEngine } from "./server-engine.ts";
import { createServerSignIn } from "./sign-in/server-sign-in.ts";
import { addressesOf, type Addresses } from "./settings/addresses.ts";
import { secretsOf } from "./settings/secrets-of.ts";
import type { Settings } from "./settings/settings.ts";
import { purposesOf } from "./settings/model-settings.ts";

/** Settings and integrations of a server. */
export interface ServerOptions {
  /** From {@link readSettings}, or built by the embedding program. */
  readonly settings: Settings;
  /** Integrations beside Custom API. @defaultValue none */
  readonly integrations?: readonly Integration[];
  /** Receives the server's messages. @defaultValue JSON lines on standard output, from `settings.logLevel` up */
  readonly log?: ServerLog;
}

const optionNames = { settings: true, integrations: true, log: true } satisfies OptionNames<ServerOptions>;

export interface RunningServer extends Addresses {
  /** The actual port of the listener. */
  readonly port: number;
  /** The engine, for work that the embedding program does without HTTP. */
  readonly engine: Engine;
  /**
   * Drains and stops the server: it stops being ready, rejects new requests, answers open ones, releases runs at their
   * next step and closes storage. The server waits for calls in progress, each up to its own timeout. No run is lost,
   * and no run has to wait for a lease to expire.
   *
   * @param options.drainMs how long to wait for calls in progress, in milliseconds. Requests that wait for a run are
   *   first given the same time, at most 10 s, while runs continue. @defaultValue that of the settings
   */
  stop(options?: { readonly drainMs?: number }): Promise<void>;
}

/** After this, requests that wait for a run are answered with its `statusUrl`. */
const maxRequestsMs = 10_000;

/**
 * Starts the service. Resolves when the server listens and, unless its role is `http`, its worker executes runs.
 *
 * @throws ProcedoError `invalid_configuration`, `storage_unavailable`
 * @example
 * ```ts
 * import { readSettings, startServer } from "@procedo/server";
 *
 * const server = await startServer({ settings: readSettings(process.env) });
 * process.once("SIGTERM", () => void server.stop());
 * ```
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  checkOptionNames("startServer", optionNames, options, "invalid_configuration");
  const { settings, integrations = [] } = options;
  if (typeof settings !== "object" || (settings as unknown) === null) {
    const message = `The option settings is ${kindOf(settings)}. Give readSettings(process.env).`;
    throw new ProcedoError("invalid_configuration", message);
  }
  const logHiding = (masterKey: Uint8Array | undefined): ServerLog =>
    options.log ?? createLog(settings.logLevel, { secrets: secretsOf({ ...settings, masterKey }) });
  const { role } = settings;
  const data = await openToServe(settings, logHiding(settings.masterKey));
  // The key may come from the data folder.
  const log = logHiding(data.masterKey);
  const closing: (() => Promise<void>)[] = [() => data.storage.close()];
  const closeAll = async (): Promise<void> => {
    for (const close of closing.splice(0).reverse()) await close();
  };
  try {
    const metrics = createMetrics({
      runs: { list: (query) => engine.runs.list(query), quarantinedRuns: () => engine.runs.quarantinedRuns() },
      connections: { list: (query) => engine.connections.list(query) },
    });
    const observers = [metrics.observeRun, createRunSpans(trace.getTracer("@procedo/server")), createRunLog(log)];
    await tellOfNoData(log, data.storage);
    const logFiring = createTriggerLog(log);
    const storage = watchFirings(watchDeliveries(data.storage, metrics.observeDelivery), (outcome) => {
      metrics.observeFiring(outcome);
      logFiring(outcome);
    });
    const engine = createServerEngine({
      settings,
      data: { ...data, storage },
      integrations,
      log,
      observe: (run, entries) => {
        for (const tell of observers) tell(run, entries);
      },
    });
    closing.push(() => engine.stop({ drainMs: 0 }));
    // A process that only serves HTTP detects a wrong master key here, before the first request.
    await (role === "http" ? engine.ready() : engine.start());

    let draining = false;
    const ready = async (): Promise<void> => {
      if (draining) throw new ProcedoError("shutting_down", "The server is shutting down. Use another one.");
      await engine.ready();
    };
    const onAnswered = (done: RequestDone): void => observeRequest(metrics, log, done);
    // The address is known once the server listens. No request arrives earlier.
    let answer: Http["answer"] = async () => undefined;
    const listener = await serveNode(
      { answer: (request) => answer(request) },
      {
        port: settings.port,
        host: settings.host,
        trustedProxies: settings.trustedProxies,
        ...besideOf(settings, metrics, log),
      },
    ).catch((error: unknown) => {
      throw cannotListen(settings, error);
    });
    closing.push(() => listener.close({ drainMs: 0 }));
    const { metricsAddress } = settings;
    const scraped = metricsAddress && (await serveMetrics(metricsAddress, metricsListener(metrics, log)));
    if (scraped !== undefined) closing.push(() => scraped.close());
    const addresses = addressesOf(settings, listener.port);
    const { requestsPerSecond } = settings;
    const limit = requestsPerSecond === undefined ? {} : { requestsPerSecond };
    const healthOnly = role === "execute";
    const site = healthOnly ? {} : { site: dashboardSite() };
    const signIn = createServerSignIn(settings, data.masterKey);
    closing.push(() => signIn.close());
    const deployment: Deployment = {
      node: process.version,
      storage: settings.databaseUrl === undefined ? "sqlite" : "postgres",
      schemaVersion: data.schemaVersion,
      role,
      drainMs: settings.drainMs,
      allowNetworks: settings.allowNetworks,
    };
    const about = { version: manifest.version, models: purposesOf(settings.models), deployment };
    const http = createHttp({
      engine,
      ...addresses,
      ...limit,
      ...site,
      about,
      signIn: signIn.providers,
      ready,
      log,
      onAnswered,
      healthOnly,
    });
    answer = (request) => http.answer(request);
    const place = settings.databaseUrl === undefined ? { dataDir: settings.dataDir } : { database: "Postgres" };
    log.info("The server is listening.", { port: listener.port, host: settings.host, role, ...place });
    tellOfMetrics(log, settings, scraped?.port);

    let stopped: Promise<void> | undefined;
    const stop = async (drainMs: number): Promise<void> => {
      draining = true;
      log.info("The server is draining.", { drainMs });
      await listener.close({ drainMs: Math.min(maxRequestsMs, drainMs) });
      // A call that began while open requests were answered has its full time.
      await engine.stop({ drainMs });
      await signIn.close();
      await scraped?.close();
      await data.storage.close();
      log.info("The server has stopped.");
    };
    return {
      ...addresses,
      port: listener.port,
      engine,
      stop: ({ drainMs = settings.drainMs } = {}) => (stopped ??= stop(drainMs)),
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** Live counts are not public: on the main address they require a token. */
function besideOf({ metricsToken }: Settings, metrics: Metrics, log: ServerLog): Pick<NodeListenerOptions, "beside"> {
  return metricsToken === undefined ? {} : { beside: { metrics: metricsListener(metrics, log, metricsToken) } };
}

/**
 * An empty database may be a first start, an unmounted folder or a wrong address. The log reports it, because they look
 * the same.
 */
async function tellOfNoData(log: ServerLog, storage: Pick<Storage, "audit">): Promise<void> {
  if ((await storage.audit.head({ workspace: "default" })) !== undefined) return;
  log.warn(
    "The database has no keys and no runs, so the service starts empty. If data existed, stop the server and check PROCEDO_DATA_DIR and DATABASE_URL.",
  );
}

function tellOfMetrics(log: ServerLog, { metricsAddress, metricsToken }: Settings, port: number | undefined): void {
  if (port !== undefined) log.info("Metrics are served.", { port, host: metricsAddress?.host });
  else if (metricsToken === undefined) {
    log.info("Metrics are not served. Set PROCEDO_METRICS_ADDRESS or PROCEDO_METRICS_TOKEN.");
  }
}

function observeRequest(metrics: Metrics, log: ServerLog, done: RequestDone): void {
  const { requestId, method, operationId = "none", status, durationMs } = done;
  metrics.observeRequest({ operation: operationId, status, durationMs });
  log.debug("Request answered.", { requestId, method, operation: operationId, status, durationMs });
}

function cannotListen({ host, port }: Settings, cause: unknown): ProcedoError {
  const reason = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
  const message = `The server cannot listen on ${host}, port ${port} (${reason}). Set another PORT or HOST.`;
  return new ProcedoError("invalid_configuration", message, { cause });
}
