import type { Environment } from "@procedo/contract";
import {
  decodeCursor,
  encodeCursor,
  type CursorQuery,
  type Page,
  type PageRequest,
  type RecordRow,
  type Storage,
} from "@procedo/storage";
import type { Action, CodedIntegration, Integration } from "../integrations/integration.ts";
import { connectionBody, connectionKind, environmentsOf, nameKey, type ConnectionBody } from "./connection-record.ts";
import { foundActions, type Pause } from "./list-actions.ts";
import { formerNamesOf, type FormerNames, type ListedAction } from "./listed-action.ts";

/** An action of the catalogue: without its schemas, with the connection that calls it. */
export interface CatalogueAction extends Omit<ListedAction, "input" | "output" | "operation"> {
  /** Name of the connection, by which tool calls refer to it. */
  readonly connection: string;
  /** Name of the integration. */
  readonly integration: string;
}

/** The actions to list. */
export interface CatalogueQuery {
  /** The environment of the connections. */
  readonly environment: Environment;
  /** Words that the name, path or description must contain. @defaultValue all actions */
  readonly search?: string;
  /** Name of the only connection to list. @defaultValue all connections */
  readonly connection?: string;
}

export interface CataloguePorts {
  readonly storage: Pick<Storage, "records">;
  readonly workspace: string;
  readonly integrations: ReadonlyMap<string, Integration>;
  /** The actions of a stored connection. */
  readonly actionsOf: (
    place: { readonly environment: Environment; readonly connectionId: string },
    body: ConnectionBody,
  ) => Promise<ReadonlyMap<string, Action>>;
  readonly pause: Pause;
}

/** A connection with its actions. */
interface Source {
  /** Place of the connection in the order of the catalogue. */
  readonly place: string;
  /** Name of the connection. */
  readonly connection: string;
  readonly integration: string;
  readonly actions: () => Promise<ReadonlyMap<string, Action>>;
  readonly formerNames?: ConnectionBody["formerNames"];
}

/** A page ends early when its texts exceed this length, or after this number of connections. */
const maxCharacters = 1024 * 1024;
const maxConnections = 10;

/** Stored connections that are read at a time. */
const rowsAtOnce = 20;

/** Beginnings of places: connections follow the integrations that are their own connections. */
const ofIntegration = "1 ";
const ofConnection = "2 ";

/**
 * The actions of all connections of an environment: first those of integrations that need no connection, by name, then
 * those of connections, by id. A document is read when a page reaches its connection, so that a page covers few
 * connections, and may be empty although more pages follow.
 *
 * @throws ProcedoError `invalid_cursor`
 */
export async function listCatalogue(
  ports: CataloguePorts,
  { environment, search = "", connection, limit, cursor }: CatalogueQuery & PageRequest,
): Promise<Page<CatalogueAction>> {
  const query: CursorQuery = ["catalogue", ports.workspace, environment, search, connection];
  const [from, offset] = decodeCursor(query, cursor, ["string", "number"]) ?? ["", 0];
  const items: CatalogueAction[] = [];
  let characters = 0;
  let connections = 0;
  for await (const source of sourcesFrom(ports, environment, connection, from)) {
    if (connections === maxConnections) return { items, nextCursor: encodeCursor(query, [source.place, 0]) };
    connections += 1;
    const found = await foundActions(await source.actions(), search, ports.pause);
    const formerNames = formerNamesOf(source.formerNames);
    // Where a connection was removed after the page before, the next one is listed from its beginning.
    let position = source.place === from ? offset : 0;
    for (const action of found.slice(position)) {
      characters += action.description.length;
      if (items.length === limit || (items.length > 0 && characters > maxCharacters)) {
        return { items, nextCursor: encodeCursor(query, [source.place, position]) };
      }
      items.push(listed(source, action, formerNames));
      position += 1;
    }
    await ports.pause();
  }
  return { items, nextCursor: undefined };
}

/** Leaves out the schemas, which an action may have to read first. */
function listed({ connection, integration }: Source, action: Action, formerNames: FormerNames): CatalogueAction {
  const { name, description, effect, deprecated } = action;
  const requiresReview = action.dispatch?.requiresReview === true;
  const named = { connection, integration, name, description };
  return { ...named, effect, deprecated, requiresReview, formerNames: formerNames.get(name) ?? [] };
}

async function* sourcesFrom(
  ports: CataloguePorts,
  environment: Environment,
  connection: string | undefined,
  from: string,
): AsyncGenerator<Source> {
  const { records } = ports.storage;
  const find = (name: string): Promise<RecordRow | undefined> =>
    records.find({ kind: connectionKind, uniqueKey: nameKey(ports.workspace, environment, name) });
  for (const integration of ownConnections(ports.integrations, connection)) {
    const { name, actions } = integration;
    const place = `${ofIntegration}${name}`;
    // A connection of this name takes the place of the integration.
    if (place < from || (await find(name)) !== undefined) continue;
    yield { place, connection: name, integration: name, actions: async () => actions };
  }
  if (connection !== undefined) {
    const row = await find(connection);
    if (row !== undefined) yield sourceOf(ports, environment, row);
    return;
  }
  let after = from.startsWith(ofConnection) ? from.slice(ofConnection.length) : undefined;
  const first = after && (await records.get({ workspace: ports.workspace, kind: connectionKind, id: after }));
  let rows = first ? [first] : [];
  for (;;) {
    for (const row of rows) {
      if (environmentsOf(row.environment, connectionBody(row)).includes(environment)) {
        yield sourceOf(ports, environment, row);
      }
    }
    const query = { workspace: ports.workspace, kind: connectionKind, limit: rowsAtOnce };
    rows = [...(await records.list({ ...query, ...(after !== undefined && { after }) })).items];
    after = rows.at(-1)?.id;
    if (after === undefined) return;
    await ports.pause();
  }
}

/** The integrations that are their own connections, by name. */
function ownConnections(
  integrations: ReadonlyMap<string, Integration>,
  connection: string | undefined,
): readonly CodedIntegration[] {
  return [...integrations.values()]
    .filter((integration) => integration.kind === "coded")
    .filter(({ needsConnection, name }) => !needsConnection && (connection ?? name) === name)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function sourceOf(ports: CataloguePorts, environment: Environment, row: RecordRow): Source {
  const body = connectionBody(row);
  return {
    place: `${ofConnection}${row.id}`,
    connection: body.name,
    integration: body.integration,
    actions: () => ports.actionsOf({ environment, connectionId: row.id }, body),
    formerNames: body.formerNames,
  };
}
