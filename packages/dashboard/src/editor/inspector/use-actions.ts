import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "../../api/client.ts";
import type { Environment } from "../../api/models.ts";
import { listKey, oneKey } from "../../api/query-keys.ts";
import type { components } from "../../api/schema.d.ts";

export type CatalogueAction = components["schemas"]["CatalogueAction"];

const mostPages = 20;
const pageSize = 100;

interface Page<Item> {
  readonly data: readonly Item[];
  readonly nextCursor?: string | undefined;
}

/** All items of a list, up to 2,000. */
async function allOf<Item>(read: (cursor: string | undefined) => Promise<Page<Item>>): Promise<readonly Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const { data, nextCursor } = await read(cursor);
    items.push(...data);
    cursor = nextCursor;
    if (cursor === undefined) break;
  }
  return items;
}

/** The connections of the environment that a call can name. */
export function connectionChoices(environment: Environment) {
  return queryOptions({
    queryKey: listKey("connection", environment, "choices"),
    queryFn: () =>
      allOf((cursor) =>
        answerOf(
          api.GET("/api/v1/connections", {
            params: { query: { environment, limit: pageSize, ...(cursor !== undefined && { cursor }) } },
          }),
        ),
      ),
  });
}

/** The actions of a connection, without their schemas. */
export function actionChoices(environment: Environment, connection: string) {
  return queryOptions({
    queryKey: listKey("connection", environment, "actions", connection),
    queryFn: () =>
      allOf<CatalogueAction>((cursor) =>
        answerOf(
          api.GET("/api/v1/actions", {
            params: { query: { environment, connection, limit: pageSize, ...(cursor !== undefined && { cursor }) } },
          }),
        ),
      ),
    enabled: connection !== "",
  });
}

/** One action with its schemas. */
export function actionOf(environment: Environment, connectionId: string | undefined, name: string) {
  return queryOptions({
    queryKey: oneKey("connection", environment, connectionId ?? "", "action", name),
    queryFn: () =>
      answerOf(
        api.GET("/api/v1/connections/{connectionId}/actions/{name}", {
          params: { path: { connectionId: connectionId ?? "", name }, query: { environment } },
        }),
      ),
    enabled: connectionId !== undefined && name !== "",
  });
}
