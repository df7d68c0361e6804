import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Review } from "../api/models.ts";
import { useEnvironment } from "../shell/environment.ts";
import { randomId } from "../api/random-id.ts";
import { decide, type Decision } from "./decide.ts";

export interface SendDecision {
  readonly isSending: boolean;
  readonly error: unknown;
  readonly send: (decision: Decision) => void;
}

/**
 * Sends decisions about a review. The same decision has the same idempotency key on each attempt, so that one whose
 * answer was lost counts once.
 */
export function useDecision(review: Review, onDecided: (review: Review, decision: Decision) => void): SendDecision {
  const environment = useEnvironment();
  const queryClient = useQueryClient();
  const [keys] = useState(() => new Map<string, string>());
  const { mutate, isPending, error } = useMutation({
    // A decision fails while there is no network. It is not kept back to be sent later, without a person.
    networkMode: "always",
    mutationFn: async (decision: Decision) => {
      const text = JSON.stringify(decision);
      const key = keys.get(text) ?? randomId();
      keys.set(text, key);
      await decide(environment, review, decision, key);
    },
    onSuccess: (_recorded, decision) => onDecided(review, decision),
    onSettled: () => {
      for (const kind of ["review", "run", "summary"]) {
        void queryClient.invalidateQueries({ queryKey: [kind, environment] });
      }
    },
  });
  return { isSending: isPending, error, send: (decision) => mutate(decision) };
}
