import { useMutation, useQueryClient } from "@tanstack/react-query";
import { answerOf, api } from "../api/client.ts";
import type { Environment } from "../api/models.ts";

interface Place {
  readonly environment: Environment;
  readonly connectionId: string;
}

/** Leaves the dashboard for the page of the service, which returns to the page of the connection. */
export function useStartAuthorization({ environment, connectionId }: Place, onLeave: () => void) {
  return useMutation({
    mutationFn: ({ replace = false }: { readonly replace?: boolean }) => {
      const returnTo = `/dashboard/${environment}/connections/${encodeURIComponent(connectionId)}?authorized=true`;
      return answerOf(
        api.POST("/api/v1/connections/{connectionId}/oauth/start", {
          params: { path: { connectionId }, query: { environment } },
          body: { returnTo, ...(replace && { replace }) },
        }),
      );
    },
    onSuccess: ({ url }) => {
      onLeave();
      location.assign(url);
    },
  });
}

/** Asks the service for new tokens now. */
export function useRenew({ environment, connectionId }: Place) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () =>
      answerOf(
        api.POST("/api/v1/connections/{connectionId}/oauth/refresh", {
          params: { path: { connectionId }, query: { environment } },
        }),
      ),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["connection", environment] }),
  });
}

/** Removes the tokens of a connection. */
export function useRemoveAuthorization({ environment, connectionId }: Place, onDone: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () =>
      answerOf(
        api.DELETE("/api/v1/connections/{connectionId}/oauth", {
          params: { path: { connectionId }, query: { environment } },
        }),
      ),
    onSuccess: onDone,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["connection", environment] }),
  });
}
