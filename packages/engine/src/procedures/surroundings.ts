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
 * The surroundings that a document is compiled against: whether its agents have a model, and the actions of its tool
 * calls. The connection must exist in every environment where the version becomes a default. For a version that becomes
 * no default, the schemas come from any environment that the caller reaches, and a missing connection is a warning.
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
    // A name that exists in only one of the version's environments would be as wrong as the misspelt name.
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

/** Does the work on the first call, and only once. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => (done ??= work());
}

function modelsOf(models: AgentModels, document: unknown): CompileSurroundings["model"] {
  const named = typeof document === "object" && document !== null && "procedureId" in document;
  // A document without an id has no procedure, and gets other problems.
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
  /** The environments where the version becomes a default and its connections must exist. */
  readonly defaultIn: readonly Environment[];
  /** The environments whose connections and keys the caller may learn about. */
  readonly reach: readonly Environment[];
}
