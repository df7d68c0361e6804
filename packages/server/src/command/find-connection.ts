import { ProcedoError, type Environment } from "@procedo/contract";
import type { Connection, Engine } from "@procedo/engine";

/**
 * The connection that a person named.
 *
 * @param which - its name or its id
 * @throws ProcedoError `connection_not_found`
 */
export async function findConnection(
  { connections }: Pick<Engine, "connections">,
  environment: Environment,
  which: string,
): Promise<Connection> {
  let cursor: string | undefined;
  do {
    const page = await connections.list({ environment, limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    const found = page.items.find(({ name, connectionId }) => name === which || connectionId === which);
    if (found !== undefined) return found;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  throw new ProcedoError(
    "connection_not_found",
    `There is no connection "${which}" in ${environment}. See connections list.`,
  );
}
