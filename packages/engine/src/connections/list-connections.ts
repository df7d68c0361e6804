import type { Environment } from "@procedo/contract";
import {
  decodeCursor,
  encodeCursor,
  type Page,
  type PageRequest,
  type RecordRow,
  type Storage,
} from "@procedo/storage";
import { connectionBody, connectionKind, isIn, type Connection } from "./connection-record.ts";
import type { ShowConnections } from "./show-connections.ts";

/** See `Connections.list`. Storage lists the connections of both environments together, so this filters its pages. */
export async function listConnections(
  ports: {
    readonly storage: Pick<Storage, "records">;
    readonly workspace: string;
    readonly show: ShowConnections;
    /** Lets other requests run between pages, since the other environment may have thousands of connections. */
    readonly pause: () => Promise<void>;
  },
  { environment, limit, cursor }: { readonly environment: Environment } & PageRequest,
): Promise<Page<Connection>> {
  const { storage, workspace, show, pause } = ports;
  const query = ["connections", workspace, environment] as const;
  const found: RecordRow[] = [];
  let [after] = decodeCursor(query, cursor, ["string"]) ?? [undefined];
  for (;;) {
    const from = after === undefined ? {} : { after };
    // One extra record shows whether there is another page.
    const { items } = await storage.records.list({ workspace, kind: connectionKind, limit: limit + 1, ...from });
    found.push(...items.filter((row) => isIn(environment, row)));
    after = items.at(-1)?.id;
    if (items.length <= limit || found.length > limit) break;
    await pause();
  }
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    items: await show(
      environment,
      page.map((row) => ({ connectionId: row.id, body: connectionBody(row) })),
    ),
    nextCursor: found.length > limit && last !== undefined ? encodeCursor(query, [last.id]) : undefined,
  };
}
