/* Engines with a private connection named `office`, and its clients, which the test controls, in the harness's time. */
import type { FunctionDeclaration, Invocation, JsonValue, ToolCallNode } from "@procedo/contract";
import { manifestSchema, type Environment } from "@procedo/contract";
import type { HarnessEngine } from "./harness.ts";
import type { PrivateClient, SavedConnection } from "@procedo/engine";
import { alice, createHarness, type Harness, type HarnessOptions } from "./harness.ts";
import { procedure } from "./documents.ts";

/** A function that takes a name. */
export function declared(name: string, more: Partial<FunctionDeclaration> = {}): FunctionDeclaration {
  return {
    name,
    description: `The function ${name}.`,
    input: { type: "object", properties: { name: { type: "string" } }, additionalProperties: false },
    ...more,
  };
}

/** A client in the customer's network, as the service sees it. */
export interface TestClient {
  readonly client: PrivateClient;
  readonly digest: string;
  poll(max?: number, signal?: AbortSignal): Promise<readonly Invocation[]>;
  /** Polls; resolves with the first call. */
  take(): Promise<Invocation>;
  /** The ids to abandon. */
  heartbeat(...invocations: readonly Invocation[]): Promise<readonly string[]>;
  /** Without an output: the function returned nothing. */
  answer(invocation: Invocation, output?: JsonValue): Promise<void>;
  fail(invocation: Invocation, error: string): Promise<void>;
}

export interface PrivateHarness extends Harness {
  readonly office: SavedConnection;
  /** A client with these functions, with the newest token of this harness. */
  connect(functions?: readonly FunctionDeclaration[], options?: ConnectOptions): Promise<TestClient>;
  /** Publishes and starts a run of one call of `office`, and resolves when it waits. */
  call(action?: string, node?: Partial<ToolCallNode>): Promise<string>;
}

export interface ConnectOptions {
  readonly engine?: HarnessEngine;
  readonly environment?: Environment;
  readonly token?: string;
  readonly clientId?: string;
}

export async function createPrivateHarness(options: HarnessOptions = {}): Promise<PrivateHarness> {
  const harness = await createHarness(options);
  const { clock, engine } = harness;
  const office = await engine.connections.create({ name: "office", integration: "private_connection", by: alice });
  let versions = 0;

  return {
    ...harness,
    office,
    connect: async (functions = [declared("screen")], options = {}) => {
      const { engine: own = engine, environment = "sandbox", clientId, token = office.tokens?.[environment] } = options;
      const connections = own.privateConnections;
      const client = await connections.authenticate(token ?? "");
      if (client === undefined) throw new Error("The token is unknown.");
      const { digest } = await connections.register(client, manifestSchema.parse({ functions }));
      const poll: TestClient["poll"] = (max = 10, signal) =>
        connections.poll(client, {
          max,
          manifest: digest,
          ...(signal !== undefined && { signal }),
          ...(clientId !== undefined && { clientId }),
        });
      return {
        client,
        digest,
        poll,
        take: async () => {
          const [invocation] = await poll(1);
          if (invocation === undefined) throw new Error("There was no call.");
          return invocation;
        },
        heartbeat: (...invocations) => connections.heartbeat(client, invocations.map(leaseOf)),
        answer: async (invocation, output) => {
          const result = { ...leaseOf(invocation), status: "ok", ...(output !== undefined && { output }) } as const;
          await connections.result(client, result);
          await clock.settle();
        },
        fail: async (invocation, error) => {
          await connections.result(client, { ...leaseOf(invocation), status: "error", error });
          await clock.settle();
        },
      };
    },
    call: async (action = "screen", node = {}) => {
      versions += 1;
      await harness.publish(calling(action, node), { version: `v${versions}`, defaultIn: ["sandbox"] });
      return await harness.run({});
    },
  };
}

export function leaseOf({ id, leaseToken }: Invocation) {
  return { invocationId: id, leaseToken };
}

/** A procedure of one call of `office`. */
export function calling(action = "screen", node: Partial<ToolCallNode> = {}) {
  return procedure(
    [{ id: "screen", kind: "tool_call", connection: "office", action, arguments: { name: "Acme" }, ...node }],
    { output: { said: "{{ nodes.screen.output }}" } },
  );
}
