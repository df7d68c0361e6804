/*
 * The interface as one function over requests. Stages of a request:
 *
 *   node/, web/              a listener or a web `Request` becomes an HttpRequest (request/http-request.ts)
 *   request/router.ts        selects the operation
 *   sign-in-provider.ts      the port of identity providers
 *   access/                  keys, sessions and tokens; environment; limits
 *   request/read-query.ts, read-body.ts, read-json.ts
 *                            query and body, checked against the contract's schemas
 *   operations/              the table of operations: their descriptions and their calls of the engine
 *   request/answer.ts        the answer; request/html-page.ts: a page for a person's browser
 *   site.ts                  the dashboard's files, beside the operations
 *   open-api/                the OpenAPI document, generated from the same table
 */
import { checkOptionNames, kindOf, ProcedoError, quotedValue, type OptionNames } from "@procedo/contract";
import { consoleLog, systemClock, systemRandom, type Clock, type Engine, type Log, type Random } from "@procedo/engine";
import { createApplicationSignIn, type ApplicationPrincipal, type RequestHead } from "./access/application-sign-in.ts";
import { createRateLimiter, type RateLimiter } from "./access/rate-limiter.ts";
import { createAnswerer, type RequestDone } from "./answer-request.ts";
import type { About } from "./about.ts";
import { describeOperations, type OpenApiDocument } from "./open-api/document.ts";
import { applicationOperations } from "./operations/application-sign-in.ts";
import { operations } from "./operations/operations.ts";
import { getHealth, getReadiness } from "./operations/service.ts";
import type { HttpAnswer, HttpRequest } from "./request/http-request.ts";
import { createRouter, isUnder } from "./request/router.ts";
import { providersOf, type SignInProvider } from "./sign-in-provider.ts";
import { mountSite, type Site } from "./site.ts";
import { fetchHandler } from "./web/fetch-handler.ts";

/** The engine, public addresses and limits of {@link createHttp}. */
export interface HttpOptions {
  /** The engine that requests are for. */
  readonly engine: Engine;
  /** Base address of the Runner API, as callers reach it. Each `statusUrl` begins with it. */
  readonly runnerUrl: string;
  /** Base address of the application under which `/api` lies, as callers reach it. */
  readonly appUrl: string;
  /**
   * Path under which all endpoints lie in the server that receives the requests, such as `/procedo`: a slash before each
   * segment, none at the end. The public addresses `runnerUrl`, `appUrl` and `sdkUrl` include the path, unless a proxy
   * adds it.
   *
   * @defaultValue "", the root
   */
  readonly basePath?: string;
  /** Base address at which clients of private connections poll. @defaultValue `runnerUrl` */
  readonly sdkUrl?: string;
  /**
   * Files that are served to browsers under `/dashboard`: `dashboardSite()` of `@procedo/dashboard`.
   *
   * @defaultValue none: these paths are not served
   */
  readonly site?: Site;
  /**
   * Readiness check of `/readyz`; rejects with the reason when requests cannot be served.
   *
   * @defaultValue always ready
   */
  readonly ready?: () => Promise<void>;
  /**
   * Facts about the service that people see after they signed in; `deployment` is shown to owners.
   *
   * @defaultValue the version `embedded`, no models, the time zone of the process, and no deployment
   */
  readonly about?: Partial<About>;
  /**
   * Identity providers at which people may sign in, beside their passwords. A browser begins at
   * `/api/v1/session/oidc/:id/start`, and the provider sends it back to `/api/v1/session/oidc/:id/callback`.
   *
   * @defaultValue none
   */
  readonly signIn?: readonly SignInProvider[];
  /**
   * Your application's own sign-in, which replaces people, invitations and sessions of the service: their operations do
   * not exist. It is asked for each request without an API key, again once the request's body has arrived, and every 5
   * seconds while the request lasts. The request ends when the result is another one. A request without a bearer token
   * that changes something has to come from a page of `appUrl`.
   *
   * @defaultValue people sign in to the service
   */
  readonly authenticate?: (request: RequestHead) => Promise<ApplicationPrincipal | undefined>;
  /**
   * Requests per second for each key, person and private connection's token, with a burst of twice that number.
   * Requests above the limit are answered 429 with `Retry-After`. At least 1.
   *
   * @defaultValue no limit
   */
  readonly requestsPerSecond?: number;
  /**
   * Serves only `/healthz` and `/readyz`, for a process that executes runs without serving the API.
   *
   * @defaultValue false
   */
  readonly healthOnly?: boolean;
  /** Called after every answered request, for metrics and access logs. @defaultValue none */
  readonly onAnswered?: (done: RequestDone) => void;
  /** Receives errors of the service itself. @defaultValue the console */
  readonly log?: Log;
  /** The source of times and delays. @defaultValue the system's clock */
  readonly clock?: Clock;
  /** The source of request ids. @defaultValue the system's randomness */
  readonly random?: Random;
}

const optionNames = {
  engine: true,
  runnerUrl: true,
  appUrl: true,
  basePath: true,
  sdkUrl: true,
  site: true,
  ready: true,
  about: true,
  signIn: true,
  authenticate: true,
  requestsPerSecond: true,
  healthOnly: true,
  onAnswered: true,
  log: true,
  clock: true,
  random: true,
} satisfies OptionNames<HttpOptions>;

/** Every endpoint of the service over one engine, as a web-standard handler. */
export interface Http {
  /**
   * Answers a web request; never rejects.
   *
   * @param from - facts about the caller from the platform. `address` is recorded with decisions, and failed attempts
   *   are counted per address.
   */
  fetch(request: Request, from?: { readonly address?: string }): Promise<Response>;
  /**
   * Answers a request without `Request` and `Response` objects, for listeners such as `serveNode`. Resolves to
   * `undefined` when the caller disconnected.
   */
  answer(request: HttpRequest): Promise<HttpAnswer | undefined>;
  /**
   * Whether a path belongs to the interface: with a base path each path under it, otherwise each path of an operation
   * and of the site.
   *
   * @param path - as the caller sent it, without the query
   */
  serves(path: string): boolean;
  /** The OpenAPI 3.1 document, as `GET /api/v1/openapi.json` answers it. */
  readonly openApi: OpenApiDocument;
}

/**
 * Exposes an engine over HTTP: every endpoint, as a web-standard handler.
 *
 * @throws ProcedoError `invalid_configuration` for a missing, invalid or unknown option
 * @example
 * ```ts
 * import { createEngine, masterKeyFile } from "@procedo/engine";
 * import { createHttp, serveNode } from "@procedo/http";
 * import { SqliteStorage } from "@procedo/storage-sqlite";
 *
 * const storage = await SqliteStorage.open({ path: "procedo.sqlite" });
 * const engine = createEngine({ storage, integrations: [], masterKey: await masterKeyFile("procedo.key") });
 * await engine.start();
 *
 * const address = "http://127.0.0.1:8787";
 * await serveNode(createHttp({ engine, runnerUrl: address, appUrl: address }), { port: 8787 });
 * ```
 */
export function createHttp(options: HttpOptions): Http {
  checkOptionNames("createHttp", optionNames, options, "invalid_configuration");
  checkEngine(options.engine);
  checkPorts(options);
  const clock = options.clock ?? systemClock;
  const random = options.random ?? systemRandom();
  const runnerUrl = baseUrl("runnerUrl", options.runnerUrl);
  const appUrl = baseUrl("appUrl", options.appUrl);
  const sdkUrl = options.sdkUrl === undefined ? runnerUrl : baseUrl("sdkUrl", options.sdkUrl);
  const { basePath = "" } = options;
  checkBasePath(basePath);
  const site = options.site && mountSite(options.site, basePath);
  let document: OpenApiDocument | undefined;
  let text: string | undefined;
  const { authenticate } = options;
  const table = authenticate === undefined ? operations : applicationOperations;
  const openApi = (): OpenApiDocument => (document ??= describeOperations(table, { runnerUrl, appUrl, sdkUrl }));
  const route = createRouter(options.healthOnly === true ? [getHealth, getReadiness] : table, basePath);
  const answer = createAnswerer(
    {
      engine: options.engine,
      runnerUrl,
      basePath,
      appUrl,
      application: authenticate && createApplicationSignIn(clock, authenticate),
      clock,
      random,
      log: options.log ?? consoleLog,
      onAnswered: options.onAnswered,
      keyRateLimiter: keyRateLimiter(clock, options.requestsPerSecond),
      site,
      service: {
        ready: options.ready ?? (async () => {}),
        about: aboutOf(options.about),
        addresses: { runnerUrl, appUrl, sdkUrl },
        requestsPerSecond: options.requestsPerSecond,
        signIn: providersOf(options.signIn),
        openApiText: () => (text ??= JSON.stringify(openApi())),
        publicKey: () => options.engine.audit.publicKey(),
      },
    },
    route,
  );
  return {
    answer,
    serves: (path) =>
      site?.serves(path) === true ||
      (basePath === "" ? route("GET", path).kind !== "unknown" : isUnder(basePath, path)),
    fetch: fetchHandler(answer),
    get openApi() {
      return openApi();
    },
  };
}

function checkBasePath(basePath: unknown): void {
  if (typeof basePath === "string" && /^(?:\/(?!\.+(?:\/|$))[\w.~-]+)*$/.test(basePath)) return;
  const message = `The option basePath is ${quotedValue(basePath)}. Give a path such as "/procedo", without a slash at its end.`;
  throw new ProcedoError("invalid_configuration", message);
}

function checkEngine(engine: unknown): void {
  if (typeof engine === "object" && engine !== null && "runs" in engine) return;
  const message = `The option engine is ${kindOf(engine)}. Give the result of createEngine.`;
  throw new ProcedoError("invalid_configuration", message);
}

function aboutOf(given: Partial<About> = {}): About {
  const names = { version: true, models: true, timeZone: true, deployment: true } satisfies OptionNames<About>;
  checkOptionNames("about", names, given, "invalid_configuration");
  const { version = "embedded", models = [], timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone } = given;
  const { deployment } = given;
  return { version, models, timeZone, ...(deployment !== undefined && { deployment }) };
}

function checkPorts(options: HttpOptions): void {
  needFunctions("", options, ["ready", "onAnswered", "authenticate"]);
  if (options.authenticate !== undefined && options.signIn !== undefined) {
    const message = "The options authenticate and signIn exclude each other. Give one of them.";
    throw new ProcedoError("invalid_configuration", message);
  }
  if (options.site !== undefined) needFunctions("site.", options.site, ["answer"], true);
  if (options.log !== undefined) needFunctions("log.", options.log, ["info", "warn", "error"], true);
  if (options.clock !== undefined) needFunctions("clock.", options.clock, ["now", "monotonic", "after", "soon"], true);
  if (options.random !== undefined) needFunctions("random.", options.random, ["bytes", "uniform"], true);
}

function needFunctions<Given extends object>(
  prefix: string,
  given: Given,
  names: readonly (keyof Given)[],
  isRequired = false,
): void {
  const members = Object(given) as Partial<Record<keyof Given, unknown>>;
  for (const name of names) {
    const value = members[name];
    if (typeof value === "function" || (value === undefined && !isRequired)) continue;
    const message = `The option ${prefix}${String(name)} is ${kindOf(value)}. Give a function.`;
    throw new ProcedoError("invalid_configuration", message);
  }
}

function keyRateLimiter(clock: Clock, perSecond: number | undefined): RateLimiter | undefined {
  if (perSecond === undefined) return undefined;
  if (typeof perSecond === "number" && perSecond >= 1 && perSecond < Infinity)
    return createRateLimiter(clock, { perSecond, burst: 2 * perSecond });
  const message = `The option requestsPerSecond is ${quotedValue(perSecond)}. Give at least 1, or leave it out.`;
  throw new ProcedoError("invalid_configuration", message);
}

function baseUrl(option: string, value: string): string {
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "") {
    throw new ProcedoError(
      "invalid_configuration",
      `The option ${option} is ${quotedValue(value)}. Give an http or https address, such as https://procedo.example.`,
    );
  }
  return value.replace(/\/+$/, "");
}
