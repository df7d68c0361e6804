import { ProcedoError, type Environment } from "@procedo/contract";
import type { Connection, Engine } from "@procedo/engine";

/**
 * Finds a connection by name or id.
 *
 * @param which - the name or the id
 * @throws ProcedoError `connection_not_found`; `invalid_input` for an ambiguous name. Names can be ambiguous because a
 *   private connection occupies its name in an environment only when it has a token there
 */
export async function findConnection(
  { connections }: Pick<Engine, "connections">,
  environment: Environment,
  which: string,
): Promise<Connection> {
  const found: Connection[] = [];
  let cursor: string | undefined;
  do {
    const page = await connections.list({ environment, limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    for (const connection of page.items) {
      if (connection.connectionId === which) return connection;
      if (connection.name === which) found.push(connection);
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  const [first, ...others] = found;
  if (first !== undefined && others.length === 0) return first;
  if (first !== undefined) {
    const ids = found.map(({ connectionId, integration }) => `${connectionId} (${integration})`).join(", ");
    throw new ProcedoError("invalid_input", `Several connections are named "${which}". Give the id of one: ${ids}.`);
  }
  throw new ProcedoError(
    "connection_not_found",
    `There is no connection "${which}" in ${environment}. See connections list.`,
  );
}
