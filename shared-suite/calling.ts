import type { JsonObject } from "@procedo/contract";
import {
  createEgress,
  createRedactor,
  guardedConnect,
  guardedFetch,
  type Action,
  type CallAnswer,
  type Egress,
} from "@procedo/engine";
import { customApi } from "@procedo/integrations";
import {
  recordingServer,
  type Recorded,
  type RecordingServer,
} from "../packages/integrations/test/calls/recording-server.ts";

/** A connection to a server that records its requests. */
export interface Calling {
  readonly actions: ReadonlyMap<string, Action>;
  readonly server: RecordingServer;
  /** The request of an action's call. @throws for invalid arguments, or if another number of requests arrives */
  send(name: string, args: JsonObject): Promise<Recorded>;
  /** The fields of the call. */
  call(name: string, args: JsonObject): Promise<CallAnswer>;
  close(): Promise<void>;
}

/** The key of every call, sent if the connection has a header for it. */
export const callKey = "key-of-the-call";

/**
 * Connects to a document's API in the way of a server, but to a server on loopback below `/base`, and through the same
 * guarded client.
 */
export async function openCalling(
  document: string,
  {
    authentication = { method: "none" },
    secrets = {},
    idempotencyHeader,
  }: {
    readonly authentication?: JsonObject;
    readonly secrets?: { readonly [name: string]: string };
    readonly idempotencyHeader?: string;
  } = {},
): Promise<Calling> {
  const server = await recordingServer();
  const egress: Egress = createEgress({ allowNetworks: ["127.0.0.0/8"] });
  const fetch = guardedFetch(egress);
  const integration = customApi();
  const settings = {
    spec: { text: document },
    baseUrl: `${server.origin}/base`,
    authentication,
    ...(idempotencyHeader === undefined ? {} : { idempotencyHeader }),
  };
  const prepared = await integration.prepare({ settings, secrets, before: undefined, fetch });
  if (prepared.status !== "ready") throw new Error(JSON.stringify(prepared));
  const { connection, actions } = prepared;
  const call = async (name: string, args: JsonObject): Promise<CallAnswer> => {
    const action = actions.get(name);
    if (action === undefined) throw new Error(`There is no action "${name}".`);
    const [problem] = action.check(args);
    if (problem !== undefined) throw new Error(`${name} ${problem.path}: ${problem.message}`);
    return await action.call(args, {
      action: name,
      idempotencyKey: callKey,
      attempt: 1,
      environment: "sandbox",
      run: { runId: "run_1", procedureId: "p", procedureVersion: "1" },
      nodeId: "call",
      signal: new AbortController().signal,
      settings: connection.settings,
      secrets,
      redactor: createRedactor(Object.values(secrets)),
      fetch,
      connect: guardedConnect(egress),
    });
  };
  return {
    actions,
    server,
    call,
    send: async (name, args) => {
      await call(name, args);
      return server.last();
    },
    close: async () => {
      await egress.close();
      await server.close();
    },
  };
}
