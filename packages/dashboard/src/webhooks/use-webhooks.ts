import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { hasCode } from "../api/api-error.ts";
import { answerOf, api } from "../api/client.ts";
import type { Delivery, Environment, Webhook } from "../api/models.ts";
import { listKey, oneKey } from "../api/query-keys.ts";
import type { TimeZone } from "../values/time.ts";
import { deliveriesQuery, type DeliveryFilters } from "./delivery-filters.ts";
import { inOrder } from "./webhook-state.ts";

/** All webhooks of an environment: the order by their state needs them all. */
export function allWebhooks(environment: Environment) {
  return queryOptions({
    queryKey: listKey("webhook", environment, "all"),
    queryFn: async (): Promise<readonly Webhook[]> => {
      const webhooks: Webhook[] = [];
      let cursor: string | undefined;
      do {
        const query = { environment, limit: 100, ...(cursor !== undefined && { cursor }) };
        const page = await answerOf(api.GET("/api/v1/webhooks", { params: { query } }));
        webhooks.push(...page.data);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return inOrder(webhooks);
    },
  });
}

export function webhookById(environment: Environment, webhookId: string) {
  return queryOptions({
    queryKey: oneKey("webhook", environment, webhookId),
    queryFn: () =>
      answerOf(api.GET("/api/v1/webhooks/{webhookId}", { params: { path: { webhookId }, query: { environment } } })),
  });
}

/** The newest delivery of each webhook, by the webhook's id. */
export function lastDeliveries(environment: Environment, webhookIds: readonly string[]) {
  return queryOptions({
    queryKey: listKey("delivery", environment, "last", webhookIds),
    queryFn: async (): Promise<Readonly<Record<string, Delivery | undefined>>> => {
      const found = await Promise.all(webhookIds.map((id) => newestDelivery(environment, id)));
      return Object.fromEntries(webhookIds.map((id, index) => [id, found[index]]));
    },
  });
}

async function newestDelivery(environment: Environment, webhookId: string): Promise<Delivery | undefined> {
  const params = { path: { webhookId }, query: { environment, limit: 1 } };
  try {
    return (await answerOf(api.GET("/api/v1/webhooks/{webhookId}/deliveries", { params }))).data[0];
  } catch (error) {
    // It was deleted meanwhile.
    if (hasCode(error, "webhook_not_found")) return undefined;
    throw error;
  }
}

/** What the list of a webhook's deliveries shows. */
export interface DeliveryList {
  readonly environment: Environment;
  readonly webhookId: string;
  readonly filters: DeliveryFilters;
  readonly zone: TimeZone;
}

/** The deliveries that match the filters, newest first. */
export function deliveryPages({ environment, webhookId, filters, zone }: DeliveryList) {
  return infiniteQueryOptions({
    queryKey: listKey("delivery", environment, "pages", webhookId, filters, zone),
    queryFn: ({ pageParam }) => {
      const more = pageParam === undefined ? {} : { cursor: pageParam };
      const query = { environment, limit: 50, ...deliveriesQuery(filters, zone), ...more };
      return answerOf(api.GET("/api/v1/webhooks/{webhookId}/deliveries", { params: { path: { webhookId }, query } }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** A delivery with the body of its requests and its attempts. */
export function deliveryById(environment: Environment, webhookId: string, deliveryId: string) {
  return queryOptions({
    queryKey: oneKey("delivery", environment, deliveryId),
    queryFn: () =>
      answerOf(
        api.GET("/api/v1/webhooks/{webhookId}/deliveries/{deliveryId}", {
          params: { path: { webhookId, deliveryId }, query: { environment } },
        }),
      ),
  });
}
