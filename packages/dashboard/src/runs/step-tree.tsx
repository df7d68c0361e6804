import { useVirtualizer } from "@tanstack/react-virtual";
import { Bot, CircleStop, GitBranch, Play, UserCheck, Wrench, type LucideIcon } from "lucide-react";
import { useEffect, useRef, type KeyboardEvent, type ReactElement } from "react";
import type { RunTimelineStep } from "../api/models.ts";
import { StatusBadge } from "../ui/status-badge.tsx";
import { cx } from "../ui/cx.ts";
import { formatDuration } from "../values/time.ts";
import type { TimeScale } from "./time-scale.ts";
import type { BarKind, TimelineRow } from "./timeline.ts";

const kindIcons: Readonly<Record<RunTimelineStep["kind"], LucideIcon>> = {
  start: Play,
  end: CircleStop,
  tool_call: Wrench,
  condition: GitBranch,
  human_review: UserCheck,
};

const barClasses: Readonly<Record<BarKind, string>> = {
  work: "bar-work",
  wait: "bar-wait",
  review: "bar-review",
};

const rowHeight = 36;

interface StepTreeProps {
  readonly rows: readonly TimelineRow[];
  readonly scale: TimeScale;
  readonly selectedKey: string | undefined;
  readonly onSelect: (key: string) => void;
}

/** The steps of a run in their order. Arrow keys, j and k move the selection. Only visible rows are rendered. */
export function StepTree({ rows, scale, selectedKey, onSelect }: StepTreeProps): ReactElement {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const selected = rows.findIndex(({ key }) => key === selectedKey);
  useEffect(() => {
    if (selected >= 0) virtual.scrollToIndex(selected, { align: "auto" });
  }, [selected, virtual]);
  const move = (event: KeyboardEvent): void => {
    const to = { ArrowDown: selected + 1, j: selected + 1, ArrowUp: selected - 1, k: selected - 1, Home: 0, End: -1 }[
      event.key
    ];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const row = rows.at(to === -1 ? -1 : Math.min(Math.max(0, to), rows.length - 1));
    if (row !== undefined) onSelect(row.key);
  };
  return (
    <div
      ref={scroller}
      role="tree"
      aria-label="Steps"
      tabIndex={0}
      aria-activedescendant={selected >= 0 ? `step-${rows[selected]?.key ?? ""}` : undefined}
      onKeyDown={move}
      className="max-h-[70dvh] overflow-y-auto rounded-panel border border-hairline bg-surface"
    >
      <div style={{ height: `${virtual.getTotalSize()}px` }} className="relative">
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <div
              key={row.key}
              id={`step-${row.key}`}
              role="treeitem"
              aria-level={1}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              aria-selected={row.key === selectedKey}
              aria-label={row.name}
              onClick={() => onSelect(row.key)}
              style={{ transform: `translateY(${start}px)`, height: `${rowHeight}px` }}
              className="absolute inset-x-0 top-0 grid cursor-pointer grid-cols-[minmax(0,3fr)_minmax(0,2fr)_auto] items-center gap-3 px-3 hover:bg-sunken aria-selected:bg-running-bg"
            >
              <StepName row={row} />
              <Bar row={row} scale={scale} />
              <span className="w-16 text-right text-small text-text-2 tabular-nums">
                {formatDuration(row.endMs - row.startMs)}
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}

function StepName({ row: { step, title, status } }: { readonly row: TimelineRow }): ReactElement {
  const Icon = step.hasTurns ? Bot : kindIcons[step.kind];
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Icon aria-hidden size={15} className="shrink-0 text-text-3" />
      <span className="truncate font-medium" title={title}>
        {title}
      </span>
      {status !== "completed" && (
        <span className="shrink-0 text-small">
          <StatusBadge status={status} isPlain />
        </span>
      )}
    </span>
  );
}

function Bar({ row, scale }: { readonly row: TimelineRow; readonly scale: TimeScale }): ReactElement {
  const from = scale.place(row.startMs);
  const width = Math.max(0, scale.place(row.endMs) - from);
  return (
    <span aria-hidden className="relative h-3">
      {scale.stretches
        .filter(({ isCollapsed }) => isCollapsed)
        .map(({ at, width: gap, startMs }) => (
          <span
            key={startMs}
            className="absolute inset-y-0 border-x border-dashed border-hairline"
            style={{ left: `${at * 100}%`, width: `${gap * 100}%` }}
          />
        ))}
      <span
        className={cx("absolute inset-y-0 min-w-0.5 rounded-[3px]", barClasses[row.bar])}
        data-status={row.status}
        style={{ left: `${from * 100}%`, width: `${width * 100}%` }}
      />
    </span>
  );
}
