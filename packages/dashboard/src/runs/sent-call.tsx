import { useQuery } from "@tanstack/react-query";
import { CircleCheck, TriangleAlert } from "lucide-react";
import type { ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import type { Review, Run } from "../api/models.ts";
import { oneKey } from "../api/query-keys.ts";
import { useEnvironment } from "../shell/environment.ts";
import { digestOf } from "../values/digest.ts";
import { argumentsSent, canonicalText, sendingStep } from "./reviewed-call.ts";

/** Whether the call that was sent has the arguments that people approved, with both digests. */
export function SentCall({ run, review }: { readonly run: Run; readonly review: Review }): ReactElement | null {
  const environment = useEnvironment();
  const { runId } = run;
  const step = sendingStep(review, run.timeline ?? []);
  const approved = review.call?.arguments;
  const { data: digests } = useQuery({
    queryKey: oneKey("run", environment, runId, "sent", review.reviewId, step?.nodeId, step?.visit),
    queryFn: async () => {
      if (step === undefined) return null;
      const path = { runId, nodeId: step.nodeId, visit: String(step.visit) };
      const whole = await answerOf(
        api.GET("/api/v1/runs/{runId}/steps/{nodeId}/{visit}", { params: { path, query: { environment } } }),
      );
      const sent = argumentsSent(whole, Date.parse(review.requestedAt));
      if (sent === undefined) return null;
      return { approved: await digestOf(canonicalText(approved)), sent: await digestOf(canonicalText(sent)) };
    },
    enabled: step !== undefined && globalThis.crypto.subtle !== undefined,
  });
  if (digests === undefined || digests === null) return null;
  const isSame = digests.approved === digests.sent;
  const Icon = isSame ? CircleCheck : TriangleAlert;
  return (
    <div className={`flex gap-1.5 ${isSame ? "text-completed" : "text-failed"}`}>
      <Icon aria-hidden size={14} className="mt-[3px] shrink-0" />
      <div className="min-w-0">
        <p className="font-medium">
          {isSame
            ? "Sent = approved: the call has exactly the arguments that were approved."
            : "The arguments that were sent are not those that were approved."}
        </p>
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 text-text">
          <dt className="text-text-3">Approved</dt>
          <dd className="font-mono text-code wrap-anywhere">{digests.approved}</dd>
          <dt className="text-text-3">Sent</dt>
          <dd className="font-mono text-code wrap-anywhere">{digests.sent}</dd>
        </dl>
      </div>
    </div>
  );
}
