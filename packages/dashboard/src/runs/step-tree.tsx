import { useVirtualizer } from "@tanstack/react-virtual";
import { Bot, CircleStop, GitBranch, Play, UserCheck, Wrench, type LucideIcon } from "lucide-react";
import { useEffect, useRef, type KeyboardEvent, type ReactElement } from "react";
import type { RunTimelineStep } from "../api/models.ts";
import { StatusBadge } from "../ui/status-badge.tsx";
import { formatDuration } from "../values/time.ts";
import { StepBar } from "./step-bar.tsx";
import type { TimeScale } from "./time-scale.ts";
import type { TimelineRow } from "./timeline.ts";

const kindIcons: Readonly<Record<RunTimelineStep["kind"], LucideIcon>> = {
  start: Play,
  end: CircleStop,
  tool_call: Wrench,
  condition: GitBranch,
  human_review: UserCheck,
};

/** Rows that a page key moves over. */
const pageRows = 10;

interface StepTreeProps {
  readonly rows: readonly TimelineRow[];
  readonly scale: TimeScale;
  readonly selectedKey: string | undefined;
  readonly onSelect: (key: string) => void;
  /** Called after a click, which asks for the step and not only for the selection. */
  readonly onOpen: () => void;
}

/** The steps of a run in their order. Keys move the selection. Only the rows in view are rendered. */
export function StepTree({ rows, scale, selectedKey, onSelect, onOpen }: StepTreeProps): ReactElement {
  const scroller = useRef<HTMLDivElement>(null);
  const heights = matchMedia("(pointer: coarse)").matches
    ? { plain: 44, withStatus: 52 }
    : { plain: 32, withStatus: 44 };
  const heightOf = (row: TimelineRow | undefined): number =>
    heights[row?.status === "completed" ? "plain" : "withStatus"];
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightOf(rows[index]),
    overscan: 12,
    initialRect: { width: 400, height: 600 },
  });
  const highRows = rows.flatMap(({ status }, index) => (status === "completed" ? [] : [index])).join();
  useEffect(() => virtual.measure(), [virtual, highRows]);
  const selected = rows.findIndex(({ key }) => key === selectedKey);
  useEffect(() => {
    if (selected >= 0) virtual.scrollToIndex(selected, { align: "auto" });
  }, [selected, virtual]);
  const move = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const to = placeAfter(event.key, selected, rows.length);
    if (to === undefined) return;
    event.preventDefault();
    const row = rows[to];
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
      <div role="presentation" style={{ height: `${virtual.getTotalSize()}px` }} className="relative">
        {virtual.getVirtualItems().map(({ index, start, size }) => {
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
              onClick={() => {
                onSelect(row.key);
                onOpen();
              }}
              style={{ transform: `translateY(${start}px)`, height: `${size}px` }}
              className="absolute inset-x-0 top-0 grid cursor-pointer grid-cols-[minmax(0,1fr)_28%_3.75rem] items-center gap-3 border-l-2 border-transparent pr-3 pl-2.5 hover:bg-sunken/60 aria-selected:border-accent aria-selected:bg-sunken"
            >
              <StepName row={row} />
              <StepBar row={row} scale={scale} />
              <span className="text-right text-small whitespace-nowrap text-text-2 tabular-nums">
                {formatDuration(row.endMs - row.startMs)}
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The index that a key moves to; `undefined` for a key that does not move. */
function placeAfter(key: string, index: number, count: number): number | undefined {
  const steps = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: pageRows, PageUp: -pageRows }[key];
  if (steps !== undefined) return Math.min(Math.max(0, index + steps), count - 1);
  return { Home: 0, End: count - 1 }[key];
}

function StepName({ row: { step, title, label, status } }: { readonly row: TimelineRow }): ReactElement {
  const Icon = step.hasTurns ? Bot : kindIcons[step.kind];
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Icon aria-hidden size={15} className="shrink-0 text-text-3" />
      <span className="min-w-0">
        <span className="flex gap-1.5 leading-[18px]" title={title}>
          <span className="truncate font-medium">{label}</span>
          {step.visit > 1 && <span className="shrink-0 text-text-3 tabular-nums">{step.visit}</span>}
        </span>
        {status !== "completed" && (
          <span className="block text-small">
            <StatusBadge status={status} isPlain />
          </span>
        )}
      </span>
    </span>
  );
}
