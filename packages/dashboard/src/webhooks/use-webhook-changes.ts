import { useMutation, useQueryClient } from "@tanstack/react-query";
import { answerOf, api } from "../api/client.ts";
import type { Environment } from "../api/models.ts";
import type { components } from "../api/schema.d.ts";

type Changes = components["schemas"]["UpdateWebhookRequest"];

/** Changes fields of a webhook. */
export function useChangeWebhook(environment: Environment, webhookId: string, onDone?: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Changes) =>
      answerOf(
        api.PATCH("/api/v1/webhooks/{webhookId}", { params: { path: { webhookId }, query: { environment } }, body }),
      ),
    onSuccess: () => onDone?.(),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["webhook", environment] }),
  });
}

/** Sends a delivery again. */
export function useResend(environment: Environment, webhookId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (deliveryId: string) =>
      answerOf(
        api.POST("/api/v1/webhooks/{webhookId}/deliveries/{deliveryId}/resend", {
          params: { path: { webhookId, deliveryId }, query: { environment } },
        }),
      ),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["delivery", environment] }),
  });
}
