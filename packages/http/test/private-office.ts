/* A private connection, called over HTTP in the way of its clients. */
import type { Environment, Invocation, JsonObject, JsonValue, ProcedureDocument } from "@procedo/contract";
import { defineProcedure, z } from "@procedo/engine";
import { asJson, textOf, type Answered, type AskOptions, type Harness } from "./harness.ts";

export const screen = {
  name: "screen",
  description: "Compares a name with the list.",
  input: { type: "object", properties: { name: { type: "string" } }, additionalProperties: false },
} as const;

export interface Office {
  readonly connectionId: string;
  /** By environment; empty for an environment without one. */
  readonly tokens: Readonly<Record<Environment, string>>;
  /** Calls `screen`. */
  readonly document: ProcedureDocument;
  /** Registers the function `screen`, like a client at its start; returns the digest. */
  register(options?: { readonly environment?: Environment; readonly token?: string }): Promise<string>;
  /** Registers `screen`, and starts a run that calls it. */
  call(environment?: Environment): Promise<string>;
  poll(
    options?: Partial<AskOptions> & { readonly environment?: Environment; readonly max?: number },
  ): Promise<Answered>;
  /** Polls for a call that is available. */
  take(environment?: Environment): Promise<Invocation>;
  result(invocation: Pick<Invocation, "id" | "leaseToken">, output?: JsonValue): Promise<Answered>;
  /** Sends several results in one request. */
  results(results: readonly JsonObject[]): Promise<Answered>;
}

const manifest = { functions: [asJson(screen)] };
let versions = 0;

/** @param environment the only one in which it gets a token; if omitted, it gets both */
export async function createOffice(harness: Harness, name = "office", environment?: Environment): Promise<Office> {
  const by = { person: "olga", ...(environment !== undefined && { environment }) };
  const created = await harness.engine.connections.create({ name, integration: "private_connection", by });
  const { connectionId } = created;
  const { sandbox = "", live = "" } = created.tokens ?? {};
  const tokens = { sandbox, live };
  const procedureId = `calls-${name}`;
  const document = defineProcedure({
    procedureId,
    name: "Calls",
    input: z.looseObject({}),
    nodes: {
      start: { kind: "start", next: "screen" },
      screen: { kind: "tool_call", connection: name, action: "screen", arguments: { name: "Acme" }, next: "done" },
      done: { kind: "end", output: { said: "{{ nodes.screen.output }}" } },
    },
  });

  const office: Office = {
    connectionId,
    tokens,
    document,
    register: async ({ environment = "sandbox", token = tokens[environment] } = {}) => {
      const { body } = await harness.ask("PUT /v1/sdk/functions", { key: token, body: manifest });
      return textOf(body["digest"]);
    },
    call: async (environment = "sandbox") => {
      await office.register({ environment });
      const version = `v${(versions += 1)}`;
      await harness.engine.procedures.publish({ document, version, defaultIn: [environment], by });
      const { runId } = await harness.engine.runs.start({ procedureId, environment, data: {}, by });
      return runId;
    },
    poll: async ({ environment = "sandbox", max = 10, ...options } = {}) => {
      const digest = await office.register({ environment });
      return await harness.ask(`GET /v1/sdk/poll?max=${max}&manifest=${digest}`, {
        key: tokens[environment],
        ...options,
      });
    },
    take: async (environment = "sandbox") => {
      const { status, text } = await office.poll({ environment, max: 1 });
      const [invocation] = status === 200 ? (JSON.parse(text) as { invocations: Invocation[] }).invocations : [];
      if (invocation === undefined) throw new Error(`There was no call: ${status} ${text}`);
      return invocation;
    },
    result: ({ id, leaseToken }, output) =>
      harness.ask("POST /v1/sdk/result", { key: tokens.sandbox, body: resultOf({ id, leaseToken }, output) }),
    results: (results) => harness.ask("POST /v1/sdk/results", { key: tokens.sandbox, body: { results: [...results] } }),
  };
  return office;
}

export function leaseOf({ id, leaseToken }: Pick<Invocation, "id" | "leaseToken">): JsonObject {
  return { invocationId: id, leaseToken };
}

export function resultOf(invocation: Pick<Invocation, "id" | "leaseToken">, output?: JsonValue): JsonObject {
  return { ...leaseOf(invocation), status: "ok", ...(output !== undefined && { output }) };
}
