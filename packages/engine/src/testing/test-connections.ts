import { ProcedoError, type JsonObject } from "@procedo/contract";
import * as z from "zod";
import type { NewConnection } from "../connections/new-connection.ts";
import { defineAction, defineIntegration } from "../integrations/define-integration.ts";
import type { Action, CodedIntegration, DocumentedIntegration, Integration } from "../integrations/integration.ts";
import { FakeAction } from "./fake-action.ts";
import type { FakeReply } from "./fake-reply.ts";
import {
  fakedAction,
  PlayedAction,
  repliesInTurn,
  strictAction,
  unconnectedAction,
  watchedAction,
  type PlayPorts,
} from "./played-action.ts";

/**
 * Whether a faked connection is a private one: one of its functions requires reviews, which only private connections
 * support.
 */
function isPrivate(fakes: FakedActions[string]): boolean {
  return Object.values(fakes).some((fake) => fake instanceof FakeAction && fake.definition.requiresReview === true);
}

/** A connection for a test: for integrations with settings, secrets or a document. */
export interface TestConnection {
  /** Name of one of the `integrations`. @defaultValue the connection's own name */
  readonly integration?: string;
  /** Settings of the connection. @defaultValue `{}` */
  readonly settings?: JsonObject;
  /** Secrets of the connection, in plain text. @defaultValue `{}` */
  readonly secrets?: { readonly [name: string]: string };
}

/** By connection and action: a faked action or, for an action of an integration, only a reply. */
export interface FakedActions {
  readonly [connection: string]: { readonly [action: string]: FakeAction | FakeReply };
}

/** A connection of a test's environment. */
export interface ConnectionOptions {
  /** Faked actions; all others are real. @defaultValue none */
  readonly actions?: FakedActions;
  /** Real or recorded integrations. Their faked actions keep their schemas. @defaultValue none */
  readonly integrations?: readonly Integration[];
  /** By name. @defaultValue those without settings and secrets, and those with faked actions */
  readonly connections?: { readonly [name: string]: TestConnection };
}

/** The connections of a test's engine, each an integration of its own. */
export interface TestConnections {
  readonly integrations: readonly Integration[];
  readonly create: readonly Omit<NewConnection, "environment" | "by">[];
  /** Private connections, with their functions. */
  readonly serve: readonly { readonly name: string; readonly fakes: FakedActions[string] }[];
}

/** @throws ProcedoError `invalid_configuration` for a fake or connection of an unknown action or integration */
export function testConnections(ports: PlayPorts, options: ConnectionOptions): TestConnections {
  const { actions = {}, integrations = [], connections = {} } = options;
  const known = new Map(integrations.map((integration) => [integration.name, integration]));
  const implied = integrations.filter((one) => one.kind === "coded" && !one.needsConnection).map(({ name }) => name);
  const names = new Set([...Object.keys(connections), ...Object.keys(actions), ...implied]);
  const create: TestConnections["create"][number][] = [];
  const fakesOf = (name: string): FakedActions[string] => (Object.hasOwn(actions, name) ? (actions[name] ?? {}) : {});
  const isServed = (name: string): boolean => !known.has(name) && isPrivate(fakesOf(name));
  const serve = [...names].filter(isServed).map((name) => ({ name, fakes: fakesOf(name) }));
  const own = [...names]
    .filter((name) => !isServed(name))
    .map((name): Integration => {
      const fakes = fakesOf(name);
      const connection = Object.hasOwn(connections, name) ? connections[name] : undefined;
      const base = known.get(connection?.integration ?? name);
      if (base === undefined) {
        if (connection === undefined) return fakedIntegration(ports, name, fakes);
        throw invalid(`There is no integration "${connection.integration ?? name}" for the connection "${name}".`);
      }
      const isCreated = connection !== undefined || base.kind === "documented";
      if (isCreated) {
        create.push({
          name,
          integration: name,
          settings: connection?.settings ?? {},
          secrets: connection?.secrets ?? {},
        });
      }
      return base.kind === "coded"
        ? codedConnection(ports, name, base, fakes, isCreated)
        : documentedConnection(ports, name, base, fakes);
    });
  return { integrations: own, create, serve };
}

function fakedIntegration(ports: PlayPorts, name: string, fakes: FakedActions[string]): CodedIntegration {
  const definitions = Object.entries(fakes).map(([action, fake]) => {
    if (!(fake instanceof FakeAction)) {
      throw invalid(
        `The fake of "${name}.${action}" does not declare the effect of a call. Write it as reads(…), idempotent(…) or once(…).`,
      );
    }
    const { effect, description = action, input = z.looseObject({}), output, timeoutMs } = fake.definition;
    const definition = defineAction({
      description,
      input,
      effect,
      ...(output !== undefined && { output }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      run: repliesInTurn(ports, fake.replies),
    });
    return [action, definition] as const;
  });
  const integration = defineIntegration({ name, actions: Object.fromEntries(definitions) });
  const actions = [...integration.actions].map(([action, made]) => [action, strictAction(ports, name, made)] as const);
  return { ...integration, actions: new Map(actions) };
}

function codedConnection(
  ports: PlayPorts,
  name: string,
  base: CodedIntegration,
  fakes: FakedActions[string],
  isConnected: boolean,
): CodedIntegration {
  return {
    kind: "coded",
    name,
    title: base.title,
    fields: base.fields,
    needsConnection: isConnected && base.needsConnection,
    checkConnection: (settings, secrets) => base.checkConnection(settings, secrets),
    inbound: base.inbound,
    actions: playedActions(ports, name, base.actions, fakes, isConnected || !base.needsConnection),
  };
}

function documentedConnection(
  ports: PlayPorts,
  name: string,
  base: DocumentedIntegration,
  fakes: FakedActions[string],
): DocumentedIntegration {
  return {
    kind: "documented",
    name,
    title: base.title,
    fields: base.fields,
    prepare: async (given) => {
      const prepared = await base.prepare(given);
      // Addresses of connections that may be faked are not resolved. Real calls pass the egress guard when they are
      // made.
      if (prepared.status !== "ready") return prepared;
      return { ...prepared, baseUrl: undefined, actions: playedActions(ports, name, prepared.actions, fakes, true) };
    },
    actions: async (connection) => playedActions(ports, name, await base.actions(connection), fakes, true),
    test: (connection, context) => base.test(connection, context),
  };
}

/** The actions of a connection: faked, played from a recording, or real. */
function playedActions(
  ports: PlayPorts,
  connection: string,
  actions: ReadonlyMap<string, Action>,
  fakes: FakedActions[string],
  isConnected: boolean,
): ReadonlyMap<string, Action> {
  for (const name of Object.keys(fakes)) {
    if (actions.has(name)) continue;
    throw invalid(
      `"${connection}" has no action "${name}" that could be faked. It has: ${[...actions.keys()].join(", ")}.`,
    );
  }
  const played = [...actions].map(([name, action]): [string, Action] => {
    const fake = Object.hasOwn(fakes, name) ? fakes[name] : undefined;
    if (fake === undefined) {
      if (action instanceof PlayedAction) return [name, action.in(ports)];
      return [name, isConnected ? watchedAction(ports, action) : unconnectedAction(ports, connection, action)];
    }
    const declared = fake instanceof FakeAction ? fake.definition.effect : action.effect;
    if (declared !== action.effect) {
      throw invalid(
        `"${connection}.${name}" is "${action.effect}", and its fake says "${declared}". Use the same effect in both.`,
      );
    }
    return [name, fakedAction(ports, connection, action, fake instanceof FakeAction ? fake.replies : [fake])];
  });
  return new Map(played);
}

function invalid(message: string): ProcedoError {
  return new ProcedoError("invalid_configuration", message);
}
