import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "../api/client.ts";
import type { Environment, Run } from "../api/models.ts";
import { listKey } from "../api/query-keys.ts";
import type { components } from "../api/schema.d.ts";
import type { CurlRequest } from "../values/curl.ts";
import { writeSearch } from "../values/search-params.ts";

type Webhook = components["schemas"]["Webhook"];

/** A delivery of a run's event, with the webhook that receives it. */
export interface RunDelivery {
  readonly delivery: components["schemas"]["Delivery"];
  readonly webhook: Pick<Webhook, "id" | "name">;
}

export interface RunDeliveries {
  /** In the order of their events. */
  readonly deliveries: readonly RunDelivery[];
  /** The requests that answer them, one for each webhook. */
  readonly requests: readonly CurlRequest[];
  /** Whether there are no more. */
  readonly isWhole: boolean;
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
    queryFn: async (): Promise<RunDeliveries> => {
      const webhooks = await allWebhooks(environment);
      const found = await Promise.all(
        webhooks.items.map(async (webhook) => {
          const { items, isWhole } = await deliveriesTo(webhook.id, environment, run);
          return { items: items.map((delivery) => ({ delivery, webhook })), isWhole };
        }),
      );
      return {
        deliveries: found
          .flatMap(({ items }) => items)
          .toSorted((a, b) => a.delivery.createdAt.localeCompare(b.delivery.createdAt)),
        requests: webhooks.items.map(({ id }) => ({
          path: `/api/v1/webhooks/${id}/deliveries${writeSearch(deliveriesQuery(environment, run))}`,
        })),
        isWhole: [webhooks, ...found].every((pages) => pages.isWhole),
      };
    },
  });
}

async function allWebhooks(environment: Environment): Promise<Pages<Webhook>> {
  return await allPages((cursor) =>
    answerOf(api.GET("/api/v1/webhooks", { params: { query: { environment, limit: pageSize, ...cursor } } })),
  );
}

/** Its events lie between its start and its end, so that no other deliveries have to be examined. */
function deliveriesQuery(environment: Environment, { runId, ...run }: Run) {
  const endMs = "completedAt" in run ? Date.parse(run.completedAt) + clockDifferenceMs : undefined;
  return {
    environment,
    runId,
    limit: pageSize,
    from: new Date(Date.parse(run.createdAt) - clockDifferenceMs).toISOString(),
    ...(endMs !== undefined && { to: new Date(endMs).toISOString() }),
  };
}

async function deliveriesTo(webhookId: string, environment: Environment, run: Run) {
  const query = deliveriesQuery(environment, run);
  return await allPages((cursor) =>
    answerOf(
      api.GET("/api/v1/webhooks/{webhookId}/deliveries", {
        params: { path: { webhookId }, query: { ...query, ...cursor } },
      }),
    ),
  );
}

interface Pages<T> {
  readonly items: readonly T[];
  readonly isWhole: boolean;
}

interface Page<T> {
  readonly data: readonly T[];
  readonly nextCursor?: string | undefined;
}

async function allPages<T>(read: (cursor: { readonly cursor?: string }) => Promise<Page<T>>): Promise<Pages<T>> {
  const items: T[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const { data, nextCursor } = await read(cursor === undefined ? {} : { cursor });
    items.push(...data);
    if (nextCursor === undefined) return { items, isWhole: true };
    cursor = nextCursor;
  }
  return { items, isWhole: false };
}
