import type { ReactElement } from "react";
import type { components } from "../api/schema.d.ts";

type Day = components["schemas"]["Summary"]["days"][number];

const names = new Intl.DateTimeFormat("en", { weekday: "short", timeZone: "UTC" });

/** Completed and failed runs of seven days, as bars and as a table of their numbers. */
export function WeekBars({ days }: { readonly days: readonly Day[] }): ReactElement {
  const most = Math.max(1, ...days.map(({ completed, failed }) => completed + failed));
  return (
    <table className="w-full rounded-panel border border-hairline bg-surface text-small">
      <caption className="sr-only">Completed and failed runs by day</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">Day</th>
          <th scope="col">Share</th>
          <th scope="col">Completed</th>
          <th scope="col">Failed</th>
        </tr>
      </thead>
      <tbody>
        {days.map(({ day, completed, failed }) => (
          <tr key={day} className="h-7">
            <th scope="row" className="w-14 pl-4 text-left font-medium">
              <time dateTime={day}>{names.format(new Date(day))}</time>
            </th>
            <td className="px-2">
              <span aria-hidden className="flex h-3 w-full gap-px">
                <span className="rounded-[3px] bg-completed" style={{ width: `${(100 * completed) / most}%` }} />
                <span className="rounded-[3px] bg-failed" style={{ width: `${(100 * failed) / most}%` }} />
              </span>
            </td>
            <td className="w-16 text-right text-completed">{completed.toLocaleString("en")}</td>
            <td className="w-16 pr-4 text-right text-failed">{failed === 0 ? "" : failed.toLocaleString("en")}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
