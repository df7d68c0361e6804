import { Link } from "@tanstack/react-router";
import { CircleCheck, CircleHelp, CircleX, Hourglass, type LucideIcon } from "lucide-react";
import type { ReactElement } from "react";
import type { Review } from "../api/models.ts";
import { environmentNames, useEnvironment } from "../shell/environment.ts";
import { PageHeading } from "../shell/page.tsx";
import { shortId } from "../values/identifier.tsx";
import { Age, Moment, Until } from "../values/moment.tsx";
import { kindWords, statusWords } from "./review-words.ts";
import { Fact } from "./section.tsx";

/** The question of a review, and the facts around it. */
export function ReviewHeader({ review }: { readonly review: Review }): ReactElement {
  const environment = useEnvironment();
  const { title, status, runId, reference, procedureId, procedureVersion, startedBy } = review;
  const { requestedAt, expiresAt, closedAt } = review;
  return (
    <header className="flex flex-col gap-3">
      <p className="hidden text-small print:block">
        Procedo · {environmentNames[environment]} · {location.host} · review {review.reviewId}
      </p>
      <div className="flex flex-col gap-1">
        <State review={review} />
        <PageHeading>{title}</PageHeading>
      </div>
      <dl className="flex flex-col gap-1">
        <Fact term="Procedure">
          <Link to="/$environment/procedures/$procedureId" params={{ environment, procedureId }}>
            {procedureId}
          </Link>
          , version {procedureVersion}
        </Fact>
        <Fact term="Run">
          <Link to="/$environment/runs/$runId" params={{ environment, runId }}>
            {reference ?? <code className="font-mono text-code">{shortId(runId)}</code>}
          </Link>
        </Fact>
        <Fact term="Started by">{startedBy}</Fact>
        <Fact term="Requested">
          <Moment at={requestedAt} />, <Age since={requestedAt} />
        </Fact>
        {status === "open" && expiresAt !== undefined && (
          <Fact term="Expires">
            <Moment at={expiresAt} />, <Until at={expiresAt} />
          </Fact>
        )}
        {closedAt !== undefined && (
          <Fact term={statusWords[status]}>
            <Moment at={closedAt} />
          </Fact>
        )}
      </dl>
    </header>
  );
}

function State({ review: { kind, status } }: { readonly review: Review }): ReactElement {
  const [Icon, colour] = look(kind, status);
  return (
    <p className={`flex items-center gap-1.5 text-small font-semibold ${colour}`}>
      <Icon aria-hidden size={14} />
      {kindWords[kind]}
      {status !== "open" && ` · ${statusWords[status]}`}
    </p>
  );
}

function look(kind: Review["kind"], status: Review["status"]): readonly [LucideIcon, string] {
  if (status === "approved" || status === "settled") return [CircleCheck, "text-completed"];
  if (status !== "open") return [CircleX, "text-failed"];
  return kind === "outcome_unknown" ? [CircleHelp, "text-unknown"] : [Hourglass, "text-review"];
}
