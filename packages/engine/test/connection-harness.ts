/* Engines whose connections have a document, and a real API on this machine that they call, in the harness's time. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { ToolCallNode } from "@procedo/contract";
import type { ConnectionPlace, NewConnection, SavedConnection } from "@procedo/engine";
import { onTestFinished } from "vitest";
import { alice, createHarness, type Harness, type HarnessOptions } from "./harness.ts";
import { procedure } from "./documents.ts";
import { documentText, listedApi, type ListedAction, type ListedApi } from "./listed-api.ts";

export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A real HTTP server that records its requests and answers as configured. */
export interface RecordedApi {
  readonly url: string;
  readonly requests: readonly ApiRequest[];
  /** Sets the answer from now on. @defaultValue 200 and `done` */
  answer(status: number, body?: string): void;
}

export async function recordedApi(): Promise<RecordedApi> {
  const requests: ApiRequest[] = [];
  let current = { status: 200, body: "done" };
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const { method = "", url: path = "", headers } = incoming;
      requests.push({ method, path, headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(current.status, { "set-cookie": "session=1" }).end(current.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => void server.close(() => resolve()));
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    answer: (status, body = "") => {
      current = { status, body };
    },
  };
}

export const token = "tok-5f0c3c1e8b5e";

/** The operations of the document, unless a test sets others. */
export const payments: readonly ListedAction[] = [
  { name: "pay", at: "POST /payments", input: { type: "object", properties: { amount: { type: "integer" } } } },
  { name: "look", at: "GET /payments", effect: "read" },
];

export interface ConnectionHarness extends Harness {
  readonly listed: ListedApi;
  readonly api: RecordedApi;
  /** A connection named `bills`, in sandbox, to the API. */
  connect(changes?: Partial<NewConnection>): Promise<SavedConnection & ConnectionPlace>;
  /** A run of one call through `bills`; resolves when the run has ended or waits. */
  call(action?: string, node?: Partial<ToolCallNode>): Promise<string>;
  settled(runId: string): Promise<void>;
  until(isSo: () => boolean | Promise<boolean>): Promise<void>;
}

export async function createConnectionHarness(options: HarnessOptions = {}): Promise<ConnectionHarness> {
  const listed = listedApi();
  const harness = await createHarness({
    egress: { allowNetworks: ["127.0.0.0/8"] },
    ...options,
    integrations: [listed.integration, ...(options.integrations ?? [])],
  });
  const api = await recordedApi();
  const { clock, engine } = harness;

  const until: ConnectionHarness["until"] = async (isSo) => {
    while (!(await isSo())) await clock.settle();
  };
  const settled: ConnectionHarness["settled"] = (runId) =>
    until(async () => (await harness.read(runId)).status !== "running");
  return {
    ...harness,
    listed,
    api,
    until,
    settled,
    connect: async ({ environment = "sandbox", ...changes } = {}) => {
      const saved = await engine.connections.create({
        name: "bills",
        integration: "listed",
        environment,
        settings: { spec: { text: documentText({ server: api.url, actions: payments }) } },
        secrets: { token },
        by: alice,
        ...changes,
      });
      return { ...saved, environment };
    },
    call: async (action = "pay", node = {}) => {
      const runId = await harness.runOf(calling(action, node));
      await settled(runId);
      return runId;
    },
  };
}

/** A procedure of one call through `bills`, named `pay`. */
export function calling(action = "pay", node: Partial<ToolCallNode> = {}) {
  return procedure([{ id: "pay", kind: "tool_call", connection: "bills", action, arguments: { amount: 5 }, ...node }], {
    output: { said: "{{ nodes.pay.output }}" },
  });
}
