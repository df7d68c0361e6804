import { CircleCheck, CircleDashed, CircleX, KeyRound, TriangleAlert, type LucideIcon } from "lucide-react";
import type { ReactElement } from "react";
import { Age } from "../values/moment.tsx";
import { healthWords, type Health } from "./health.ts";

const looks: Readonly<Record<Health["status"], { readonly icon: LucideIcon; readonly colour: string }>> = {
  ok: { icon: CircleCheck, colour: "text-completed" },
  failing: { icon: CircleX, colour: "text-failed" },
  unconfirmed: { icon: TriangleAlert, colour: "text-review" },
  needs_authorization: { icon: KeyRound, colour: "text-review" },
  unknown: { icon: CircleDashed, colour: "text-text-2" },
};

/** The health of a connection, and since when. */
export function HealthBadge({ health: { status, checkedAt } }: { readonly health: Health }): ReactElement {
  const { icon: Icon, colour } = looks[status];
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <span className={`inline-flex items-center gap-1.5 font-medium whitespace-nowrap ${colour}`}>
        <Icon aria-hidden size={14} className="shrink-0" /> {healthWords[status]}
      </span>
      {checkedAt !== undefined && (
        <span className="text-small whitespace-nowrap text-text-3">
          since <Age since={checkedAt} />
        </span>
      )}
    </span>
  );
}
