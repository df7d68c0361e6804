import { useVirtualizer } from "@tanstack/react-virtual";
import { CornerDownRight, RotateCcw, TriangleAlert, Unlink } from "lucide-react";
import { useEffect, useId, useMemo, useRef, type KeyboardEvent, type ReactElement } from "react";
import { kindWord } from "../../flowchart/node-kinds.ts";
import { NodeIcon } from "../../flowchart/node-icon.tsx";
import { cx } from "../../ui/cx.ts";
import type { ProblemMarks } from "../problems/problem-marks.ts";
import { wayWord } from "../views/place-words.ts";
import type { OutlineRow } from "./editor-outline.ts";
import { siblingPlaces } from "./sibling-places.ts";

/** An act that a key of the tree asks for. */
export type TreeAct = "add" | "connect" | "delete" | "rename" | "open" | "move";

interface OutlineTreeProps {
  readonly rows: readonly OutlineRow[];
  readonly selectedKey: string | undefined;
  readonly marks: ProblemMarks;
  readonly onSelect: (key: string) => void;
  readonly onAct: (act: TreeAct) => void;
}

const pageRows = 10;
const acts: Readonly<Record<string, TreeAct>> = {
  a: "add",
  c: "connect",
  m: "move",
  Delete: "delete",
  Backspace: "delete",
  F2: "rename",
  Enter: "open",
};

/** The procedure in words. Arrow keys choose a row. Its acts are on other keys, and on buttons. */
export function OutlineTree({ rows, selectedKey, marks, onSelect, onAct }: OutlineTreeProps): ReactElement {
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const height = matchMedia("(pointer: coarse)").matches ? 44 : 32;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 12,
    initialRect: { width: 320, height: 600 },
  });
  const places = useMemo(() => siblingPlaces(rows), [rows]);
  const selected = rows.findIndex(({ key }) => key === selectedKey);
  useEffect(() => {
    if (selected >= 0) virtual.scrollToIndex(selected, { align: "auto" });
  }, [selected, virtual]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = acts[event.key];
    const to = placeAfter(event.key, selected, rows);
    if (act === undefined && to === undefined) return;
    event.preventDefault();
    const row = to === undefined ? undefined : rows[to];
    if (row !== undefined) onSelect(row.key);
    if (act !== undefined) onAct(act);
  };
  return (
    <div
      ref={scroller}
      role="tree"
      aria-label="Outline"
      aria-keyshortcuts="a c m F2 Delete Enter"
      tabIndex={0}
      aria-activedescendant={selected >= 0 ? `${id}-${selected}` : undefined}
      onKeyDown={onKeyDown}
      className="max-h-[70dvh] min-h-40 overflow-y-auto rounded-panel border border-hairline bg-surface focus-visible:-outline-offset-2"
    >
      <div role="presentation" style={{ height: `${virtual.getTotalSize()}px` }} className="relative">
        {virtual.getVirtualItems().map(({ index, start, size }) => {
          const row = rows[index];
          if (row === undefined) return null;
          const mark = row.kind === "step" ? marks.get(row.node.id) : undefined;
          return (
            <div
              key={row.key}
              id={`${id}-${index}`}
              role="treeitem"
              aria-level={row.level}
              aria-setsize={places[index]?.count}
              aria-posinset={places[index]?.position}
              aria-selected={row.key === selectedKey}
              aria-label={nameOf(row, mark)}
              title={titleOf(row, mark)}
              onClick={() => onSelect(row.key)}
              style={{ transform: `translateY(${start}px)`, height: `${size}px`, paddingLeft: `${row.level * 12}px` }}
              className="absolute inset-x-0 top-0 flex cursor-pointer items-center gap-2 border-l-2 border-transparent pr-3 hover:bg-sunken/60 aria-selected:border-accent aria-selected:bg-sunken"
            >
              <RowContent row={row} />
              {mark !== undefined && (
                <TriangleAlert
                  aria-hidden
                  size={14}
                  className={cx("ml-auto shrink-0", mark === "error" ? "text-failed" : "text-review")}
                />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The index that a key moves to; `undefined` for a key that does not move. */
function placeAfter(key: string, index: number, rows: readonly OutlineRow[]): number | undefined {
  const count = rows.length;
  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: pageRows, PageUp: -pageRows }[key];
  if (steps !== undefined) return Math.min(Math.max(0, index + steps), count - 1);
  const level = rows[index]?.level ?? 1;
  if (key === "ArrowLeft") {
    const parent = rows.findLastIndex((row, at) => at < index && row.level < level);
    return parent === -1 ? undefined : parent;
  }
  if (key === "ArrowRight") return (rows[index + 1]?.level ?? 0) > level ? index + 1 : undefined;
  return { Home: 0, End: count - 1 }[key];
}

const markWords = { error: ", has problems", warning: ", has warnings" } as const;

function nameOf(row: OutlineRow, mark: keyof typeof markWords | undefined): string {
  switch (row.kind) {
    case "step": {
      const { kind, title } = row.node;
      const name =
        title.toLowerCase() === kindWord(kind).toLowerCase() ? kindWord(kind) : `${kindWord(kind)}: ${title}`;
      return mark === undefined ? name : name + markWords[mark];
    }
    case "branch": {
      const name = branchName(row);
      return row.when === undefined || row.when === "" ? `Branch ${name}` : `Branch ${name}: ${row.when}`;
    }
    case "joins":
      return `${joinWord(row)} ${row.to.title}`;
    case "nowhere":
      return "Leads nowhere";
    case "unreached":
      return "No run reaches these steps";
  }
}

/** The name, with the expression that it reads. */
function titleOf(row: OutlineRow, mark: keyof typeof markWords | undefined): string {
  const name = nameOf(row, mark);
  return row.kind === "branch" && row.expression !== undefined ? `${name}\n${row.expression}` : name;
}

function branchName({ place: { branch } }: Extract<OutlineRow, { readonly kind: "branch" }>): string {
  return wayWord(branch);
}

function joinWord({ isLoop }: Extract<OutlineRow, { readonly kind: "joins" }>): string {
  return isLoop ? "back to" : "joins";
}

function RowContent({ row }: { readonly row: OutlineRow }): ReactElement {
  const icon = "shrink-0 text-text-3";
  switch (row.kind) {
    case "step":
      return (
        <>
          <NodeIcon node={row.node} />
          <span className={cx("truncate font-medium", row.node.title === row.node.id && "first-letter:uppercase")}>
            {row.node.title}
          </span>
        </>
      );
    case "branch":
      return (
        <>
          <span className="max-w-[60%] shrink-0 truncate rounded-full border border-hairline px-1.5 text-small text-text-2">
            {branchName(row)}
          </span>
          {row.when !== undefined && <span className="truncate text-small text-text-3">{row.when}</span>}
        </>
      );
    case "joins":
      return (
        <>
          {row.isLoop ? (
            <RotateCcw aria-hidden size={14} className={icon} />
          ) : (
            <CornerDownRight aria-hidden size={14} className={icon} />
          )}
          <span className="truncate text-text-2">
            {joinWord(row)} {row.to.title}
          </span>
        </>
      );
    case "nowhere":
      return (
        <>
          <Unlink aria-hidden size={14} className="shrink-0 text-failed" />
          <span className="truncate font-medium text-failed">Leads nowhere</span>
        </>
      );
    case "unreached":
      return <span className="truncate text-small font-medium text-text-2">No run reaches these steps</span>;
  }
}
