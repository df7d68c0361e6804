import type { ReactElement } from "react";
import { cx } from "../ui/cx.ts";
import type { TimeScale } from "./time-scale.ts";
import type { BarKind, TimelineRow } from "./timeline.ts";

const barClasses: Readonly<Record<BarKind, string>> = {
  work: "bar-work",
  wait: "bar-wait",
  review: "bar-review",
};

/** When a step was executed, on the axis of its run. The row's name says the same in words. */
export function StepBar({ row, scale }: { readonly row: TimelineRow; readonly scale: TimeScale }): ReactElement {
  const from = Math.min(scale.place(row.startMs), 0.96);
  const width = Math.max(0, scale.place(row.endMs) - from);
  return (
    <span aria-hidden className="relative h-2.5 rounded-[3px] bg-sunken">
      {scale.stretches
        .filter(({ isCollapsed }) => isCollapsed)
        .map(({ at, width: gap, startMs }) => (
          <span
            key={startMs}
            className="absolute -inset-y-1 border-x border-dashed border-control/60"
            style={{ left: `${at * 100}%`, width: `${gap * 100}%` }}
          />
        ))}
      <span
        className={cx("absolute inset-y-0 min-w-1 rounded-[3px]", barClasses[row.bar])}
        data-status={row.status}
        style={{ left: `${from * 100}%`, width: `${width * 100}%` }}
      />
    </span>
  );
}

const legend: readonly (readonly [BarKind, string])[] = [
  ["work", "Work"],
  ["wait", "Waits for the next attempt"],
  ["review", "Waits for a person"],
];

/** What the looks of the bars mean, of those that are shown. */
export function BarLegend({ rows }: { readonly rows: readonly TimelineRow[] }): ReactElement {
  const shown = new Set(rows.map(({ bar }) => bar));
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-small text-text-2">
      {legend
        .filter(([bar]) => shown.has(bar))
        .map(([bar, word]) => (
          <li key={bar} className="flex items-center gap-1.5">
            <span
              aria-hidden
              className={cx("h-2.5 w-5 rounded-[3px]", barClasses[bar])}
              data-status={bar === "wait" ? "running" : "completed"}
            />
            {word}
          </li>
        ))}
    </ul>
  );
}
