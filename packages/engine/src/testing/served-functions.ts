import {
  manifestSchema,
  privateConnectionIntegration,
  ProcedoError,
  type Environment,
  type Invocation,
  type JsonObject,
  type JsonValue,
} from "@procedo/contract";
import type { Storage } from "@procedo/storage";
import * as z from "zod";
import type { Engine } from "../engine.ts";
import { copyJson } from "../json/json-copy.ts";
import type { CallContext } from "../integrations/integration.ts";
import { readFailure } from "../calls/failure.ts";
import { nothingToRedact } from "../secrets/redact.ts";
import { FakeAction } from "./fake-action.ts";
import { repliesInTurn, type PlayPorts } from "./played-action.ts";
import type { FakedActions } from "./test-connections.ts";
import { TestingError } from "./testing-error.ts";

/**
 * Serves faked functions through a private connection, as a client in a customer's network does: it polls, acknowledges
 * and answers calls.
 */
export async function serveFunctions(
  ports: PlayPorts & { readonly engine: Engine; readonly storage: Pick<Storage, "watch"> },
  name: string,
  environment: Environment,
  fakes: FakedActions[string],
): Promise<void> {
  const { work, engine } = ports;
  const functions = Object.entries(fakes).map(([functionName, fake]) => declared(name, functionName, fake));
  const replies = new Map(
    functions.map(({ declaration, fake }) => [declaration.name, repliesInTurn(ports, fake.replies)]),
  );
  const { privateConnections } = engine;
  const by = { person: "builder" };
  const created = await engine.connections.create({ name, integration: privateConnectionIntegration, by });
  const client = await privateConnections.authenticate(created.tokens?.[environment] ?? "");
  if (client === undefined) throw new TestingError(`The private connection "${name}" could not be created.`);
  const manifest = manifestSchema.parse({ functions: functions.map(({ declaration }) => declaration) });
  const { digest } = await privateConnections.register(client, manifest);

  const answer = async (invocation: Invocation): Promise<void> => {
    const lease = { invocationId: invocation.id, leaseToken: invocation.leaseToken };
    await privateConnections.heartbeat(client, [lease]);
    const result = await resultOf(() => replies.get(invocation.function)?.(invocation.input, contextOf(invocation)));
    if (result !== undefined) await privateConnections.result(client, { ...lease, ...result });
  };
  const poll = async (): Promise<void> => {
    const invocations = await privateConnections.poll(client, { max: 32, manifest: digest });
    for (const invocation of invocations) {
      // The service rejects the result of a call that was aborted in the meantime; such an error is ignored.
      answer(invocation).catch((error: unknown) => {
        if (!ProcedoError.isError(error)) work.fail(error);
      });
    }
  };
  ports.storage.watch((change) => {
    if (change.type !== "invocable" || change.connectionId !== client.connectionId) return;
    poll().catch((error: unknown) => work.fail(error));
  });
}

function declared(connection: string, name: string, fake: unknown) {
  const what = `The fake of the function "${connection}.${name}"`;
  if (!(fake instanceof FakeAction))
    throw new TestingError(`${what} has to be written as fakeAction(…), idempotent(…) or once(…).`);
  const { effect, description = name, input = z.looseObject({}), requiresReview = false } = fake.definition;
  if (effect === "read")
    throw new TestingError(`${what} is "read", which a function cannot be. Use "idempotent" or "once".`);
  const schema = z.toJSONSchema(input, { io: "input" }) as JsonObject;
  return {
    fake,
    declaration: { name, description, input: schema, requiresReview, idempotent: effect === "idempotent" },
  };
}

const outputLimits = { depth: 64, bytes: 8 * 1024 * 1024 };

type FunctionResult =
  { readonly status: "ok"; readonly output: JsonValue } | { readonly status: "error"; readonly error: string };

/** `undefined`: the function does not answer, and the service finds out when the lease ends. */
async function resultOf(play: () => Promise<unknown> | undefined): Promise<FunctionResult | undefined> {
  try {
    const output = copyJson(await play(), outputLimits);
    if (output.ok) return { status: "ok", output: output.value };
    return { status: "error", error: `The output ${output.message}.` };
  } catch (error) {
    const { effect, message } = readFailure(error, false);
    return effect === "unknown" ? undefined : { status: "error", error: message };
  }
}

/** The context of a function: its call, without anything of the service. */
function contextOf({ function: action, idempotencyKey, context }: Invocation): CallContext {
  const { environment, runId, procedureId, procedureVersion } = context;
  return {
    ...{
      action,
      idempotencyKey,
      attempt: 1,
      environment,
      nodeId: "",
      settings: {},
      secrets: {},
      redactor: nothingToRedact,
    },
    run: { runId: runId ?? "", procedureId: procedureId ?? "", procedureVersion: procedureVersion ?? "" },
    signal: new AbortController().signal,
    fetch: () => Promise.reject(new TestingError("A faked function has no fetch.")),
    connect: () => Promise.reject(new TestingError("A faked function has no connect.")),
  };
}
