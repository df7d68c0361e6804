import { onTestFinished } from "vitest";
import * as z from "zod";
import type { PrivateConnectionOptions } from "../src/connection/connection-options.ts";
import { assemblePrivateConnection, type PrivateConnection } from "../src/connection/create-private-connection.ts";
import type { ConnectionEvents } from "../src/connection/connection-state.ts";
import { defineFunction } from "../src/functions/define-function.ts";
import type { HandlerContext } from "../src/invocations/handler-context.ts";
import type { Log, LogFields } from "../src/log.ts";
import type { Runtime } from "../src/runtime.ts";
import { type FakeService, type FakeServiceOptions, startFakeService } from "./fake-service.ts";
import type { PrivateService } from "./private-service.ts";
import { createTestRuntime, type TestRuntime } from "./test-runtime.ts";

/** A line of the log as text, fields included. */
export interface RecordingLog extends Log {
  readonly lines: string[];
}

export function createRecordingLog(): RecordingLog {
  const lines: string[] = [];
  const write =
    (level: string) =>
    (message: string, fields: LogFields = {}): void =>
      void lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
  return { lines, info: write("info"), warn: write("warn"), error: write("error") };
}

type ServedFunctions = PrivateConnectionOptions["functions"];

/** `echo` returns its input's value; idempotent. */
export const echo = defineFunction({
  name: "echo",
  description: "Gives the value back.",
  input: z.object({ value: z.unknown() }),
  idempotent: true,
  handler: ({ value }) => value,
});

/** A function with a test's handler. */
export function functionOf(
  name: string,
  handler: (input: Record<string, unknown>, context: HandlerContext) => unknown,
  more: { readonly idempotent?: boolean; readonly timeoutMs?: number } = {},
): ServedFunctions[number] {
  return defineFunction({ name, description: name, input: z.looseObject({}), handler, ...more });
}

export interface Started<Service extends PrivateService> {
  readonly service: Service;
  readonly connection: PrivateConnection;
  readonly log: RecordingLog;
  /** The promise of `start()`, whose rejection is handled so that it does not fail the test by itself. */
  readonly ended: Promise<void>;
}

/** A started connection to a service; both end with the test. */
export function connect<Service extends PrivateService>(
  service: Service,
  functions: ServedFunctions,
  runtime: Runtime,
  options: Partial<PrivateConnectionOptions> = {},
): Started<Service> {
  const log = createRecordingLog();
  const { url, token, ca } = service;
  const own = { url, token, functions, log, proxy: false, ...(ca !== undefined && { ca }) } as const;
  const connection = assemblePrivateConnection({ ...own, ...options }, runtime);
  const ended = connection.start();
  ended.catch(() => undefined);
  onTestFinished(() => connection.close({ drainMs: 0 }));
  return { service, connection, log, ended };
}

export interface Scene extends Started<FakeService> {
  readonly runtime: TestRuntime;
}

/** A fake service and a connected client with one clock that the test controls. */
export async function connected(
  functions: ServedFunctions,
  options: Partial<PrivateConnectionOptions> & { readonly service?: Partial<FakeServiceOptions> } = {},
): Promise<Scene> {
  const { service: serviceOptions, ...clientOptions } = options;
  const runtime = createTestRuntime();
  const service = await startService({ runtime, ...serviceOptions });
  const polled = service.arrival(({ path }) => path === "/v1/sdk/poll");
  const started = connect(service, functions, runtime, clientOptions);
  await polled;
  return { ...started, runtime };
}

/** A fake service that ends with the test. */
export async function startService(options: FakeServiceOptions): Promise<FakeService> {
  const service = await startFakeService(options);
  onTestFinished(() => service[Symbol.asyncDispose]());
  return service;
}

/** The next matching event of a kind, from now on. */
export function nextEvent<Name extends keyof ConnectionEvents>(
  connection: PrivateConnection,
  name: Name,
  fits: (event: ConnectionEvents[Name]) => boolean = () => true,
): Promise<ConnectionEvents[Name]> {
  return new Promise((resolve) => {
    const stop = connection.on(name, (event) => {
      if (!fits(event)) return;
      stop();
      resolve(event);
    });
  });
}

/** A promise with the functions that settle it. */
export function gate<Value = void>(): PromiseWithResolvers<Value> {
  return Promise.withResolvers<Value>();
}
