import { CircleCheck } from "lucide-react";
import type { ReactElement } from "react";
import { Age } from "../values/moment.tsx";
import type { AttentionRow } from "./attention.ts";
import { AttentionLine } from "./attention-line.tsx";

/** Everything that needs a person, worst first. */
export function AttentionList({
  rows,
  lastChangeAt,
  procedureNames,
}: {
  readonly rows: readonly AttentionRow[];
  /** When a run of the environment last started or ended. */
  readonly lastChangeAt: string | undefined;
  readonly procedureNames: ReadonlyMap<string, string>;
}): ReactElement {
  if (rows.length === 0) {
    return (
      <div className="flex min-h-11 items-center gap-3 rounded-panel border border-hairline bg-surface px-4 py-2">
        <CircleCheck aria-hidden size={16} className="shrink-0 text-completed" />
        <p className="font-medium">Nothing needs you.</p>
        {lastChangeAt !== undefined && (
          <p className="ml-auto text-small text-text-2">
            Last change <Age since={lastChangeAt} />
          </p>
        )}
      </div>
    );
  }
  return (
    <ul className="divide-y divide-hairline rounded-panel border border-hairline bg-surface">
      {rows.map((row) => (
        <li key={keyOf(row)}>
          <AttentionLine row={row} procedureNames={procedureNames} />
        </li>
      ))}
    </ul>
  );
}

function keyOf(row: AttentionRow): string {
  switch (row.kind) {
    case "outcome_unknown":
    case "review":
    case "expiring":
      return row.review.reviewId;
    case "connection":
      return row.connection.id;
    case "webhook":
      return row.webhook.id;
    case "trigger":
      return row.trigger.id;
    case "failed":
      return row.run.runId;
    case "more":
      return `${row.of} ${row.count}`;
  }
}
