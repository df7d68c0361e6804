import { answerOf, api } from "../api/client.ts";
import type { Environment, Review } from "../api/models.ts";

/** A decision of a person about a review, as they saw it. */
export type Decision =
  | { readonly approved: true; /** JSON text, with the digits as they were typed. */ readonly outputs?: string }
  | { readonly approved: false; readonly rejectionReason: string };

/**
 * Sends a decision about exactly the review that was shown.
 *
 * @param idempotencyKey the same one for each attempt to send this decision
 */
export async function decide(
  environment: Environment,
  { runId, reviewId, digest }: Pick<Review, "runId" | "reviewId" | "digest">,
  decision: Decision,
  idempotencyKey: string,
): Promise<void> {
  const { approved } = decision;
  const body = {
    approved,
    idempotencyKey,
    reviewId,
    reviewDigest: digest,
    ...(!decision.approved && { rejectionReason: decision.rejectionReason }),
  };
  const outputs = decision.approved ? decision.outputs : undefined;
  await answerOf(
    api.POST("/api/runner-proxy/review/{runId}", {
      params: { path: { runId }, query: { environment } },
      body,
      bodySerializer: (given) => {
        const text = JSON.stringify(given);
        return outputs === undefined ? text : `${text.slice(0, -1)},"outputs":${outputs}}`;
      },
    }),
  );
}
