import type { Environment } from "@procedo/contract";
import type { CompileSurroundings } from "@procedo/procedure";
import { modelFor, type AgentModels } from "../models/models.ts";
import type { Outside } from "../egress/outside.ts";
import { actionNamed, type ResolveConnection } from "../connections/resolved-connection.ts";
import type { ConnectionNames } from "../connections/connection-names.ts";
import { namedCalls } from "./named-calls.ts";

export interface SurroundingPorts {
  readonly resolveConnection: ResolveConnection;
  readonly connectionNames: ConnectionNames;
  readonly models: AgentModels;
}

/**
 * What a document needs to know of its surroundings: whether its agents have a model, and the actions that its tool calls
 * name. Every environment in which the version is to be a default has to have the connection; where there is none, any that the
 * caller reaches lends its schemas, and a missing connection is a warning.
 */
export async function surroundingsOf(
  { resolveConnection, connectionNames, models }: SurroundingPorts,
  document: unknown,
  { defaultIn, reach }: CheckedWhere,
  outside?: Outside,
): Promise<CompileSurroundings> {
  const searched = defaultIn.length > 0 ? defaultIn : reach;
  const found = new Map<string, ReturnType<CompileSurroundings["action"]>>();
  const names = once(async () => {
    const [first = [], ...others] = await Promise.all(searched.map(connectionNames));
    // A name that only one of a version's environments has would be no better than the misspelt one.
    return defaultIn.length > 0
      ? first.filter((name) => others.every((theirs) => theirs.includes(name)))
      : [...first, ...others.flat()];
  });
  for (const { connection, action } of namedCalls(document)) {
    const key = JSON.stringify([connection, action]);
    if (found.has(key)) continue;
    const shapes = await Promise.all(
      searched.map(async (environment) => lookUp(await resolveConnection(environment, connection, outside), action)),
    );
    const missing = shapes.find((shape) => "missing" in shape);
    const present = shapes.find((shape) => !("missing" in shape));
    const shape = defaultIn.length > 0 ? (missing ?? present) : (present ?? missing);
    const isThere = shape !== undefined && !("missing" in shape && shape.missing === "connection");
    found.set(key, isThere ? shape : { missing: "connection", known: await names() });
  }
  return {
    model: modelsOf(models, document),
    connectionMissing: defaultIn.length > 0 ? "error" : "warning",
    action: (connection, action) =>
      found.get(JSON.stringify([connection, action])) ?? { missing: "connection", known: [] },
  };
}

/** The work is done when it is first asked for, and once. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => (done ??= work());
}

function modelsOf(models: AgentModels, document: unknown): CompileSurroundings["model"] {
  const named = typeof document === "object" && document !== null && "procedureId" in document;
  // Without an id there is no procedure, and other problems are told.
  const procedureId = named && typeof document.procedureId === "string" ? document.procedureId : "";
  return {
    arguments: modelFor(models, procedureId, "arguments") !== undefined,
    questions: modelFor(models, procedureId, "questions") !== undefined,
  };
}

function lookUp(
  connection: Awaited<ReturnType<ResolveConnection>>,
  actionName: string,
): ReturnType<CompileSurroundings["action"]> {
  if (connection === undefined) return { missing: "connection", known: [] };
  const action = actionNamed(connection, actionName);
  if (action === undefined) return { missing: "action", known: [...connection.actions.keys()] };
  const { name, input, output, deprecated } = action;
  return {
    input,
    ...(output !== undefined && { output }),
    ...(deprecated && { deprecated }),
    ...(name !== actionName && { renamedTo: name }),
  };
}

export interface CheckedWhere {
  /** Where the version is to be a default: its connections have to be there. */
  readonly defaultIn: readonly Environment[];
  /** Of no other environment's connections and keys is anything told. */
  readonly reach: readonly Environment[];
}
