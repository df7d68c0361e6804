import { CircleCheck, CircleX } from "lucide-react";
import type { ReactElement } from "react";
import type { Summary } from "./use-home.ts";

const names = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" });

/** Completed and failed runs of seven days, as bars and as numbers. */
export function WeekBars({ days }: { readonly days: Summary["days"] }): ReactElement {
  const most = Math.max(1, ...days.map(({ completed, failed }) => completed + failed));
  return (
    <div className="rounded-panel border border-hairline bg-surface pt-1 pb-2">
      <table className="w-full text-small">
        <caption className="sr-only">Completed and failed runs by day</caption>
        <thead>
          <tr className="h-8 text-text-2">
            <th scope="col" className="pl-4 text-left font-medium">
              Day
            </th>
            <td />
            <th scope="col" className="text-right font-medium whitespace-nowrap">
              <CircleCheck aria-hidden size={12} className="mr-1 inline text-completed" />
              Completed
            </th>
            <th scope="col" className="pr-4 pl-3 text-right font-medium whitespace-nowrap">
              <CircleX aria-hidden size={12} className="mr-1 inline text-failed" />
              Failed
            </th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, completed, failed }, index) => (
            <tr key={day} className="h-7">
              <th scope="row" className="pl-4 text-left font-normal whitespace-nowrap">
                <time dateTime={day}>{names.format(new Date(day))}</time>
                {index === days.length - 1 && <span className="text-text-3"> today</span>}
              </th>
              <td className="w-1/2 px-3">
                <span aria-hidden className="flex h-2.5 w-full gap-px">
                  <Bar share={completed / most} colour="bg-completed" />
                  <Bar share={failed / most} colour="bg-failed" />
                </span>
              </td>
              <Count count={completed} />
              <Count count={failed} className="pr-4 pl-3" />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Never so short that a single run disappears. */
function Bar({ share, colour }: { readonly share: number; readonly colour: string }): ReactElement | null {
  if (share === 0) return null;
  return <span className={`min-w-0.5 rounded-[2px] ${colour}`} style={{ width: `${100 * share}%` }} />;
}

function Count({ count, className = "" }: { readonly count: number; readonly className?: string }): ReactElement {
  return (
    <td className={`text-right ${count === 0 ? "text-text-3" : ""} ${className}`}>{count.toLocaleString("en")}</td>
  );
}
