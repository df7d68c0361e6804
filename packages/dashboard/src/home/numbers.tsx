import { Link } from "@tanstack/react-router";
import { CircleCheck, CircleX, Hourglass, LoaderCircle, type LucideIcon } from "lucide-react";
import type { ReactElement } from "react";
import { useEnvironment } from "../shell/environment.ts";
import type { Summary } from "./use-home.ts";

/** The runs under way, and those that ended today. */
export function Numbers({ summary: { runs, days } }: { readonly summary: Summary }): ReactElement {
  const today = days.at(-1);
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      <Figure icon={LoaderCircle} colour="text-running" name="Running" count={runs.running} status="running" />
      <Figure
        icon={Hourglass}
        colour="text-review"
        name="Waiting for review"
        count={runs.awaitingReview}
        status="awaiting_review"
      />
      <Figure icon={CircleCheck} colour="text-completed" name="Completed today" count={today?.completed ?? 0} />
      <Figure icon={CircleX} colour="text-failed" name="Failed today" count={today?.failed ?? 0} />
    </dl>
  );
}

function Figure({
  icon: Icon,
  colour,
  name,
  count,
  status,
}: {
  readonly icon: LucideIcon;
  readonly colour: string;
  readonly name: string;
  readonly count: number;
  /** The runs that are counted, if the list of runs can show exactly these. */
  readonly status?: "running" | "awaiting_review";
}): ReactElement {
  const environment = useEnvironment();
  const text = count.toLocaleString("en");
  return (
    <div className="flex flex-col-reverse rounded-panel border border-hairline bg-surface px-4 py-3">
      <dt className="flex items-center gap-1.5 text-small text-text-2">
        <Icon aria-hidden size={13} className={count === 0 ? "text-text-3" : colour} />
        {name}
      </dt>
      <dd className={`text-heading font-semibold tabular-nums ${count === 0 ? "text-text-3" : ""}`}>
        {status === undefined || count === 0 ? (
          text
        ) : (
          <Link
            to="/$environment/runs"
            params={{ environment }}
            search={{ status: [status] }}
            aria-label={`${text}, ${name}`}
            className="no-underline hover:underline"
          >
            {text}
          </Link>
        )}
      </dd>
    </div>
  );
}
