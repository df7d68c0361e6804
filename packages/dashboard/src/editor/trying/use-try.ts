import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { answerOf, api } from "../../api/client.ts";
import { startRun } from "../../api/start-run.ts";
import type { TryPlan } from "./try-plan.ts";

interface TryRequest {
  readonly plan: Exclude<TryPlan, { readonly kind: "wait" }>;
  /** JSON text of the input. */
  readonly data: string;
  readonly idempotencyKey: string;
}

/** Publishes the draft if it has changes, starts a run of it in the sandbox, and opens that. */
export function useTry(procedureId: string) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const environment = "sandbox";
  return useMutation({
    mutationFn: async ({ plan, data, idempotencyKey }: TryRequest) => {
      const { version } = plan;
      if (plan.kind === "publish") {
        const { revision, basedOn } = plan;
        await answerOf(
          api.POST("/api/v1/procedures/{procedureId}/versions", {
            params: { path: { procedureId }, query: { environment } },
            body: { version, revision, ...(basedOn !== undefined && { basedOn }), defaultIn: [] },
          }),
        );
        // From here on the draft is this version: another attempt runs it, and publishes no second one.
        await queryClient.invalidateQueries({ queryKey: ["procedure"] });
      }
      return await startRun(environment, { procedureId, version, data, idempotencyKey });
    },
    onSuccess: ({ runId }) => navigate({ to: "/$environment/runs/$runId", params: { environment, runId } }),
  });
}
