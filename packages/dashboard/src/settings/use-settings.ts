import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "../api/client.ts";

/** How the service is set up. */
export const serviceFacts = queryOptions({
  queryKey: ["service"],
  queryFn: () => answerOf(api.GET("/api/v1/service")),
  // The process may have been replaced since.
  staleTime: 0,
});
