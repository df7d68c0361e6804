/*
 * The interface as one function over requests. The way of one:
 *
 *   node/, web/              a listener or a web `Request` becomes an HttpRequest (request/http-request.ts)
 *   request/router.ts        which operation
 *   access/                  who asks, for which environment, whether they may
 *   request/read-query.ts, read-body.ts, read-json.ts
 *                            what is asked, by the contract's schemas
 *   operations/              the table: each operation's description, and what it asks of the engine
 *   request/answer.ts        what is sent back
 *   open-api/                the same table as an OpenAPI document
 */
import { checkOptionNames, kindOf, ProcedoError, quotedValue, type OptionNames } from "@procedo/contract";
import { consoleLog, systemClock, systemRandom, type Clock, type Engine, type Log, type Random } from "@procedo/engine";
import { createRate, type Rate } from "./access/rate.ts";
import { createAnswerer, type RequestDone } from "./answer-request.ts";
import { openApiDocument, type OpenApiDocument } from "./open-api/document.ts";
import { operations } from "./operations/operations.ts";
import { getHealth, getReadiness } from "./operations/service.ts";
import type { HttpAnswer, HttpRequest } from "./request/http-request.ts";
import { fetchHandler } from "./web/fetch-handler.ts";

/** The engine, public addresses and limits of {@link createHttp}. */
export interface HttpOptions {
  readonly engine: Engine;
  /** Base address of the Runner API, as callers reach it: what a `statusUrl` begins with. */
  readonly runnerUrl: string;
  /** Base address of the application under which `/api` lies, as callers reach it. */
  readonly appUrl: string;
  /** Base address at which clients of private connections poll. @defaultValue `runnerUrl` */
  readonly sdkUrl?: string;
  /** What `/readyz` asks; rejects with the reason when requests cannot be served. @defaultValue always ready */
  readonly ready?: () => Promise<void>;
  /**
   * How many requests a second one key, or the clients of one token, may send, as many again at once; more are answered
   * 429 with `Retry-After`. At least 1.
   *
   * @defaultValue no limit
   */
  readonly requestsPerSecond?: number;
  /**
   * Answers `/healthz` and `/readyz` and nothing else: for a process that executes runs and serves nobody.
   *
   * @defaultValue false
   */
  readonly healthOnly?: boolean;
  /** Is told of every request once it is answered: for metrics and access logs. */
  readonly onAnswered?: (done: RequestDone) => void;
  /** Where errors of our side are told. @defaultValue the console */
  readonly log?: Log;
  /** @defaultValue the machine's */
  readonly clock?: Clock;
  /** @defaultValue the machine's */
  readonly random?: Random;
}

const optionNames = {
  engine: true,
  runnerUrl: true,
  appUrl: true,
  sdkUrl: true,
  ready: true,
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
   * @param from - what the platform knows of the caller. `address` is recorded with decisions and counts failed attempts.
   */
  fetch(request: Request, from?: { readonly address?: string }): Promise<Response>;
  /** The same without `Request` and `Response`: for listeners such as `serveNode`. `undefined`: the caller is gone. */
  answer(request: HttpRequest): Promise<HttpAnswer | undefined>;
  /** The OpenAPI 3.1 document, as `GET /api/v1/openapi.json` answers it. */
  readonly openApi: OpenApiDocument;
}

/**
 * Puts an engine behind HTTP: every endpoint, as a web-standard handler.
 *
 * @throws ProcedoError `invalid_configuration` for an option that is missing, wrong or not known
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
  let document: OpenApiDocument | undefined;
  let text: string | undefined;
  const openApi = (): OpenApiDocument => (document ??= openApiDocument({ runnerUrl, appUrl, sdkUrl }));
  const answer = createAnswerer(
    {
      engine: options.engine,
      runnerUrl,
      clock,
      random,
      log: options.log ?? consoleLog,
      onAnswered: options.onAnswered,
      keyRate: keyRate(clock, options.requestsPerSecond),
      service: { ready: options.ready ?? (async () => {}), openApiText: () => (text ??= JSON.stringify(openApi())) },
    },
    options.healthOnly === true ? [getHealth, getReadiness] : operations,
  );
  return {
    answer,
    fetch: fetchHandler(answer),
    get openApi() {
      return openApi();
    },
  };
}

function checkEngine(engine: unknown): void {
  if (typeof engine === "object" && engine !== null && "runs" in engine) return;
  const message = `The option engine is ${kindOf(engine)}. Give what createEngine returns.`;
  throw new ProcedoError("invalid_configuration", message);
}

function checkPorts(options: HttpOptions): void {
  needFunctions("", options, ["ready", "onAnswered"]);
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

function keyRate(clock: Clock, perSecond: number | undefined): Rate | undefined {
  if (perSecond === undefined) return undefined;
  if (typeof perSecond === "number" && perSecond >= 1 && perSecond < Infinity)
    return createRate(clock, { perSecond, burst: 2 * perSecond });
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
