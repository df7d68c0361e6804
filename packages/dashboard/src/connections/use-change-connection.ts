import { useMutation, useQueryClient } from "@tanstack/react-query";
import { answerOf, api } from "../api/client.ts";
import type { Environment } from "../api/models.ts";
import { oneKey } from "../api/query-keys.ts";
import type { components } from "../api/schema.d.ts";

export type Updated = components["schemas"]["UpdatedConnection"];
export type ChangePreview = components["schemas"]["ChangePreview"];
export type ChangeRequest = components["schemas"]["PreviewChangeRequest"];
type Changes = components["schemas"]["UpdateConnectionRequest"];

/** Changes the name, settings or secrets of a connection. */
export function useChangeConnection(
  { environment, connectionId }: { readonly environment: Environment; readonly connectionId: string },
  onDone: (updated: Updated) => void,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ force = false, ...body }: Changes & { readonly force?: boolean }) =>
      answerOf(
        api.PATCH("/api/v1/connections/{connectionId}", {
          params: { path: { connectionId }, query: { environment, ...(force && { force: "true" }) } },
          body,
        }),
      ),
    onSuccess: onDone,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["connection", environment] }),
    // Nothing keeps the secrets of a request.
    gcTime: 0,
  });
}

/** What a change would mean for the actions of a connection. Nothing is saved. */
export function usePreviewChange(environment: Environment, connectionId: string) {
  return useMutation({
    mutationFn: (body: ChangeRequest) =>
      answerOf(
        api.POST("/api/v1/connections/{connectionId}/preview", {
          params: { path: { connectionId }, query: { environment } },
          body,
        }),
      ),
    // Nothing keeps the secrets of a request.
    gcTime: 0,
  });
}

/** Sends one harmless request with the connection's credentials. */
export function useTestConnection(environment: Environment, connectionId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () =>
      answerOf(
        api.POST("/api/v1/connections/{connectionId}/test", {
          params: { path: { connectionId }, query: { environment } },
        }),
      ),
    onSettled: () => queryClient.invalidateQueries({ queryKey: oneKey("connection", environment, connectionId) }),
  });
}
