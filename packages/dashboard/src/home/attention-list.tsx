import { Link } from "@tanstack/react-router";
import { CircleHelp, CircleX, ClipboardCheck, Hourglass, Plug, Webhook, type LucideIcon } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { useEnvironment } from "../shell/environment.ts";
import { Age, Until } from "../values/moment.tsx";
import type { AttentionRow } from "./attention.ts";

/** Everything that needs a person, worst first. */
export function AttentionList({ rows }: { readonly rows: readonly AttentionRow[] }): ReactElement {
  if (rows.length === 0) {
    return <p className="rounded-panel border border-hairline bg-surface px-4 py-3 font-medium">Nothing needs you.</p>;
  }
  return (
    <ul className="divide-y divide-hairline rounded-panel border border-hairline bg-surface">
      {rows.map((row) => (
        <li key={keyOf(row)}>
          <RowContent row={row} />
        </li>
      ))}
    </ul>
  );
}

function keyOf(row: AttentionRow): string {
  if ("review" in row) return row.review.reviewId;
  return "run" in row ? row.run.runId : row.kind;
}

function RowContent({ row }: { readonly row: AttentionRow }): ReactElement {
  const environment = useEnvironment();
  switch (row.kind) {
    case "outcome_unknown":
    case "review":
    case "expiring": {
      const { reviewId, title, requestedAt, expiresAt, procedureId } = row.review;
      const isUnknown = row.kind === "outcome_unknown";
      const [icon, colour] = isUnknown
        ? [CircleHelp, "text-unknown"]
        : [row.kind === "review" ? ClipboardCheck : Hourglass, "text-review"];
      return (
        <Line
          icon={icon}
          colour={colour}
          detail={
            row.kind === "expiring" && expiresAt !== undefined ? (
              <>
                expires <Until at={expiresAt} />
              </>
            ) : (
              <Age since={requestedAt} />
            )
          }
        >
          <Link to="/$environment/reviews/$reviewId" params={{ environment, reviewId }} className="font-medium">
            {title}
          </Link>{" "}
          <span className="text-text-3">{procedureId}</span>
        </Line>
      );
    }
    case "failed": {
      const { runId, procedureId, error, createdAt, completedAt } = row.run;
      return (
        <Line icon={CircleX} colour="text-failed" detail={<Age since={completedAt ?? createdAt} />}>
          <Link to="/$environment/runs/$runId" params={{ environment, runId }} className="font-medium">
            {procedureId} failed
          </Link>{" "}
          <span className="text-text-2">{error}</span>
        </Line>
      );
    }
    case "connections_failing":
      return (
        <Line icon={Plug} colour="text-failed">
          {counted(row.count, "connection fails", "connections fail")}
        </Line>
      );
    case "webhooks_failing":
      return (
        <Line icon={Webhook} colour="text-failed">
          {counted(row.count, "webhook cannot be delivered", "webhooks cannot be delivered")}
        </Line>
      );
  }
}

function Line({
  icon: Icon,
  colour,
  detail,
  children,
}: {
  readonly icon: LucideIcon;
  readonly colour: string;
  readonly detail?: ReactNode;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <div className="flex min-h-9 items-center gap-3 px-4 py-1.5 pointer-coarse:min-h-11">
      <Icon aria-hidden size={16} className={`shrink-0 ${colour}`} />
      <span className="line-clamp-2 min-w-0 flex-1 wrap-anywhere">{children}</span>
      {detail !== undefined && <span className="shrink-0 text-small text-text-2">{detail}</span>}
    </div>
  );
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
