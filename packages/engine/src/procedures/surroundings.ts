import type { Environment } from "@procedo/contract";
import type { ActionShape, CompileSurroundings } from "@procedo/procedure";
import type { ResolveConnection } from "../connections/resolved-connection.ts";

/**
 * What a document needs to know of its surroundings: the actions that its tool calls name. With environments every one
 * of them has to have the connection; without, whichever has it lends its schemas, and a missing one is a warning.
 */
export async function surroundingsOf(
  document: unknown,
  environments: readonly Environment[],
  resolveConnection: ResolveConnection,
): Promise<CompileSurroundings> {
  const searched: readonly Environment[] = environments.length > 0 ? environments : ["sandbox", "live"];
  const found = new Map<string, ReturnType<CompileSurroundings["action"]>>();
  for (const { connection, action } of namedActions(document)) {
    const key = JSON.stringify([connection, action]);
    if (found.has(key)) continue;
    const shapes = await Promise.all(
      searched.map(async (environment) => lookUp(await resolveConnection(environment, connection), action)),
    );
    const missing = shapes.find((shape) => typeof shape === "string");
    const present = shapes.find((shape) => typeof shape !== "string");
    found.set(
      key,
      environments.length > 0
        ? (missing ?? present ?? "unknown_connection")
        : (present ?? missing ?? "unknown_connection"),
    );
  }
  return {
    model: false,
    connectionMissing: environments.length > 0 ? "error" : "warning",
    action: (connection, action) => found.get(JSON.stringify([connection, action])) ?? "unknown_connection",
  };
}

function lookUp(
  connection: Awaited<ReturnType<ResolveConnection>>,
  actionName: string,
): ActionShape | "unknown_connection" | "unknown_action" {
  if (connection === undefined) return "unknown_connection";
  const action = connection.integration.actions.get(actionName);
  if (action === undefined) return "unknown_action";
  return { input: action.input, ...(action.output === undefined ? {} : { output: action.output }) };
}

/** The actions that a document names, whatever else is wrong with it. */
function* namedActions(document: unknown): Generator<{ readonly connection: string; readonly action: string }> {
  const nodes: unknown = isRecord(document) ? document["nodes"] : undefined;
  if (!Array.isArray(nodes)) return;
  for (const node of nodes as readonly unknown[]) {
    if (!isRecord(node)) continue;
    const { connection, action } = node;
    if (typeof connection === "string" && typeof action === "string") yield { connection, action };
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
