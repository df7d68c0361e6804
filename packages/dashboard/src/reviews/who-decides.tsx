import { Check, X } from "lucide-react";
import type { ReactElement } from "react";
import type { Review } from "../api/models.ts";
import { Copy } from "../ui/copy.tsx";
import type { JsonValue } from "../values/json-lines.ts";
import { JsonView } from "../values/json-view.tsx";
import { Moment } from "../values/moment.tsx";
import { Section } from "./section.tsx";

/** Who may decide, how many approvals are needed, and who has decided. */
export function WhoDecides({ review }: { readonly review: Review }): ReactElement {
  const { reviewers, excludesStarter, startedBy, excludesApproversOf, decisions, digest } = review;
  const who = [...reviewers.roles.map((role) => `people with the role ${role}`), ...reviewers.people];
  return (
    <Section title="Who decides">
      <p>
        Decided by {who.length === 0 ? "anyone who may review" : either(who)}. {approvalWords(review)}
        {excludesStarter && ` Not ${startedBy}, who started the run.`}
        {excludesApproversOf.length > 0 && ` Not people who approved ${either(excludesApproversOf)} in this run.`}
      </p>
      {decisions.length > 0 && (
        <ul className="flex flex-col gap-1.5">
          {decisions.map((decision) => (
            <DecisionMade key={decision.decisionId} decision={decision} kind={review.kind} />
          ))}
        </ul>
      )}
      <p className="flex flex-wrap items-center gap-1 text-small text-text-2">
        A decision is bound to exactly what is shown here. Digest{" "}
        <code className="font-mono text-code" title={digest}>
          {digest.slice(0, 12)}…
        </code>
        <Copy what="digest" text={digest} />
      </p>
    </Section>
  );
}

function DecisionMade({
  decision: { person, approved, decidedAt, rejectionReason, outputs },
  kind,
}: {
  readonly decision: Review["decisions"][number];
  readonly kind: Review["kind"];
}): ReactElement {
  const Icon = approved ? Check : X;
  return (
    <li className="flex items-start gap-2">
      <Icon
        aria-hidden
        size={15}
        strokeWidth={2.4}
        className={`mt-0.5 shrink-0 ${approved ? "text-completed" : "text-failed"}`}
      />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className="wrap-anywhere">
          <span className="font-medium">{person}</span> {verb(kind, approved, outputs !== undefined)},{" "}
          <Moment at={decidedAt} />
        </p>
        {rejectionReason !== undefined && (
          <p className="wrap-anywhere whitespace-pre-wrap text-text-2">
            <bdi>{rejectionReason}</bdi>
          </p>
        )}
        {outputs !== undefined && <JsonView what="Outputs" value={outputs as JsonValue} />}
      </div>
    </li>
  );
}

function verb(kind: Review["kind"], approved: boolean, hasOutputs: boolean): string {
  if (kind !== "outcome_unknown") return approved ? "approved" : "rejected";
  if (!approved) return "said that it did not happen";
  return hasOutputs ? "said that it happened" : "chose to send it again";
}

function approvalWords({ status, approvalsNeeded, approvalsGiven }: Review): string {
  if (approvalsNeeded === 1) return status === "open" ? "One approval is needed." : "";
  return `${approvalsGiven} of ${approvalsNeeded} approvals given. Each has to come from a different person.`;
}

function either(names: readonly string[]): string {
  return new Intl.ListFormat("en-GB", { type: "disjunction" }).format(names);
}
