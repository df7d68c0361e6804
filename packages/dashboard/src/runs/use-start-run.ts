import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Environment } from "../api/models.ts";
import { startRun, type StartRequest } from "../api/start-run.ts";

/** Starts a run, and opens it. */
export function useStartRun(environment: Environment) {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (request: StartRequest) => startRun(environment, request),
    onSuccess: ({ runId }) => navigate({ to: "/$environment/runs/$runId", params: { environment, runId } }),
  });
}
