import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "../api/client.ts";
import type { Environment, Run } from "../api/models.ts";
import { listKey } from "../api/query-keys.ts";
import type { components } from "../api/schema.d.ts";

type Webhook = components["schemas"]["Webhook"];

/** A delivery of a run's event, with the webhook that receives it. */
export interface RunDelivery {
  readonly delivery: components["schemas"]["Delivery"];
  readonly webhook: Pick<Webhook, "id" | "name">;
}

const pageSize = 100;
/** Pages that are read of one webhook. A page examines thousands of deliveries and may have none of the run. */
const mostPages = 20;
/** Clocks of several nodes differ by less. */
const clockDifferenceMs = 60_000;

/** The deliveries of a run's events to all webhooks of its environment, in the order of the events. */
export function deliveriesOfRun(environment: Environment, run: Run) {
  return queryOptions({
    queryKey: listKey("delivery", environment, "run", run.runId, run.status),
    queryFn: async (): Promise<readonly RunDelivery[]> => {
      const found = await Promise.all(
        (await allWebhooks(environment)).map(async (webhook) => {
          const deliveries = await deliveriesTo(webhook.id, environment, run);
          return deliveries.map((delivery) => ({ delivery, webhook }));
        }),
      );
      return found.flat().toSorted((a, b) => a.delivery.createdAt.localeCompare(b.delivery.createdAt));
    },
  });
}

async function allWebhooks(environment: Environment): Promise<readonly Webhook[]> {
  return await allPages((cursor) =>
    answerOf(api.GET("/api/v1/webhooks", { params: { query: { environment, limit: pageSize, ...cursor } } })),
  );
}

/** Its events lie between its start and its end, so that no other deliveries have to be examined. */
async function deliveriesTo(webhookId: string, environment: Environment, { runId, ...run }: Run) {
  const endMs = "completedAt" in run ? Date.parse(run.completedAt) + clockDifferenceMs : undefined;
  const query = {
    environment,
    runId,
    limit: pageSize,
    from: new Date(Date.parse(run.createdAt) - clockDifferenceMs).toISOString(),
    ...(endMs !== undefined && { to: new Date(endMs).toISOString() }),
  };
  return await allPages((cursor) =>
    answerOf(
      api.GET("/api/v1/webhooks/{webhookId}/deliveries", {
        params: { path: { webhookId }, query: { ...query, ...cursor } },
      }),
    ),
  );
}

interface Page<T> {
  readonly data: readonly T[];
  readonly nextCursor?: string | undefined;
}

async function allPages<T>(read: (cursor: { readonly cursor?: string }) => Promise<Page<T>>): Promise<readonly T[]> {
  const items: T[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const { data, nextCursor } = await read(cursor === undefined ? {} : { cursor });
    items.push(...data);
    if (nextCursor === undefined) break;
    cursor = nextCursor;
  }
  return items;
}
