import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { answerOf, api } from "../api/client.ts";
import type { Environment } from "../api/models.ts";
import { oneKey } from "../api/query-keys.ts";

/** No change names a client that polls. */
const readEveryMs = 5_000;

/** Whether a client of an environment asks for work. */
export function privateStatus(environment: Environment, connectionId: string) {
  return queryOptions({
    queryKey: oneKey("connection", environment, connectionId, "status"),
    queryFn: () =>
      answerOf(
        api.GET("/api/v1/connections/{connectionId}/private-connection/status", {
          params: { path: { connectionId }, query: { environment } },
        }),
      ),
    refetchInterval: readEveryMs,
  });
}

/** The clients of an environment, and the address at which they ask for work. */
export function privateClients(environment: Environment, connectionId: string) {
  return queryOptions({
    queryKey: oneKey("connection", environment, connectionId, "clients"),
    queryFn: () =>
      answerOf(
        api.GET("/api/v1/connections/{connectionId}/private-connection/clients", {
          params: { path: { connectionId }, query: { environment } },
        }),
      ),
    refetchInterval: readEveryMs,
  });
}

/** Creates a new token. The current one stops working immediately. */
export function useRegenerateToken(environment: Environment, connectionId: string, onDone: (token: string) => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () =>
      answerOf(
        api.POST("/api/v1/connections/{connectionId}/private-connection/tokens/{environment}", {
          params: { path: { connectionId, environment }, query: { environment } },
        }),
      ),
    onSuccess: ({ token }) => onDone(token),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["connection"] }),
    // Nothing keeps the token but the page.
    gcTime: 0,
  });
}
