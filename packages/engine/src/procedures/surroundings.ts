import type { CompileSurroundings } from "@procedo/procedure";
import { modelFor, type AgentModels } from "../agent/models.ts";
import type { Outside } from "../outgoing/outside.ts";
import { actionNamed, type ResolveConnection } from "../connections/resolved-connection.ts";
import type { CheckedWhere } from "./compile-document.ts";
import { namedCalls } from "./named-calls.ts";

export interface SurroundingPorts {
  readonly resolveConnection: ResolveConnection;
  readonly models: AgentModels;
}

/**
 * What a document needs to know of its surroundings: whether its agents have a model, and the actions that its tool calls
 * name. Every environment in which the version is to be a default has to have the connection; where there is none, any that the
 * caller reaches lends its schemas, and a missing connection is a warning.
 */
export async function surroundingsOf(
  { resolveConnection, models }: SurroundingPorts,
  document: unknown,
  { defaultIn, reach }: CheckedWhere,
  outside?: Outside,
): Promise<CompileSurroundings> {
  const searched = defaultIn.length > 0 ? defaultIn : reach;
  const found = new Map<string, ReturnType<CompileSurroundings["action"]>>();
  for (const { connection, action } of namedCalls(document)) {
    const key = JSON.stringify([connection, action]);
    if (found.has(key)) continue;
    const shapes = await Promise.all(
      searched.map(async (environment) => lookUp(await resolveConnection(environment, connection, outside), action)),
    );
    const missing = shapes.find((shape) => typeof shape === "string");
    const present = shapes.find((shape) => typeof shape !== "string");
    found.set(
      key,
      defaultIn.length > 0
        ? (missing ?? present ?? "unknown_connection")
        : (present ?? missing ?? "unknown_connection"),
    );
  }
  return {
    model: modelsOf(models, document),
    connectionMissing: defaultIn.length > 0 ? "error" : "warning",
    action: (connection, action) => found.get(JSON.stringify([connection, action])) ?? "unknown_connection",
  };
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
  if (connection === undefined) return "unknown_connection";
  const action = actionNamed(connection, actionName);
  if (action === undefined) return connection.actions.size === 0 ? "no_actions" : "unknown_action";
  const { name, input, output, deprecated } = action;
  return {
    input,
    ...(output !== undefined && { output }),
    ...(deprecated && { deprecated }),
    ...(name !== actionName && { renamedTo: name }),
  };
}
