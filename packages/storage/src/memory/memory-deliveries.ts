import type { DeliveryStore } from "../deliveries.ts";
import { pageByTime } from "./page.ts";
import type { MemoryState } from "./state.ts";
import { sameScope } from "./state.ts";

export function memoryDeliveries(state: MemoryState): DeliveryStore {
  return {
    async list(request) {
      const { scope, webhookId } = request;
      const rows = [...state.deliveries.values()]
        .map((delivery, number) => ({ ...delivery, number }))
        .filter((delivery) => delivery.row.webhookId === webhookId && sameScope(delivery.scope, scope));
      return pageByTime(rows, {
        ...request,
        query: ["deliveries", scope.workspace, scope.environment, webhookId],
        newestFirst: true,
        positionOf: ({ row, number }) => [row.createdAtMs, number],
        itemOf: ({ row }) => row,
      });
    },
  };
}
