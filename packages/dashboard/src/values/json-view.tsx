import { ChevronDown, ChevronRight, Download } from "lucide-react";
import { useMemo, useState, type ReactElement } from "react";
import { Button } from "../ui/button.tsx";
import { Copy } from "../ui/copy.tsx";
import { hasFewLines, jsonLines, membersAtOnce, type JsonLine, type JsonValue, type ValueLine } from "./json-lines.ts";
import { JsonScalar } from "./json-scalar.tsx";
import { saveFile } from "./save-file.ts";
import { visibleName } from "./visible-text.ts";

interface JsonViewProps {
  /** Names the value: "Input". */
  readonly what: string;
  readonly value: JsonValue;
}

/** A value of at most so many lines is open as a whole, a larger one to this depth. */
const fewLines = 150;
const openDepth = 2;

/** A JSON value as a tree. It can be copied and downloaded whole, also where only a part of it is shown. */
export function JsonView({ what, value }: JsonViewProps): ReactElement {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [shown, setShown] = useState<ReadonlyMap<string, number>>(new Map());
  const depth = useMemo(() => (hasFewLines(value, fewLines) ? Number.POSITIVE_INFINITY : openDepth), [value]);
  const { lines, hasMore } = useMemo(
    () =>
      jsonLines(value, {
        isOpen: (pointer, at) => at < depth !== toggled.has(pointer),
        shownMembers: (pointer) => shown.get(pointer) ?? membersAtOnce,
      }),
    [value, toggled, shown, depth],
  );
  const toggle = (pointer: string): void => {
    setToggled((before) => {
      const after = new Set(before);
      if (!after.delete(pointer)) after.add(pointer);
      return after;
    });
  };
  const showMore = (pointer: string): void => {
    setShown((before) => new Map(before).set(pointer, (before.get(pointer) ?? membersAtOnce) + 10 * membersAtOnce));
  };
  const text = (): string => JSON.stringify(value, undefined, 2);
  return (
    <div className="relative min-w-0 rounded-panel border border-hairline bg-sunken">
      <div className="absolute top-1 right-1 flex rounded-control bg-sunken">
        <Copy what={what.toLowerCase()} text={text} />
      </div>
      <div
        className="max-h-[60dvh] overflow-auto py-2 pr-9 pl-2 font-mono text-code print:max-h-none"
        tabIndex={0}
        role="group"
        aria-label={what}
      >
        {lines.map((line) => (
          <Line
            key={`${line.kind} ${line.pointer}`}
            line={line}
            isOpen={line.depth < depth !== toggled.has(line.pointer)}
            onToggle={toggle}
            onMore={showMore}
          />
        ))}
        {hasMore && (
          <div className="mt-2 flex flex-wrap items-center gap-2 font-sans text-body text-text-2">
            This value is too large to be shown whole.
            <Button variant="quiet" icon={Download} onClick={() => saveFile(`${what.toLowerCase()}.json`, text())}>
              Download all
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}

interface LineProps {
  readonly isOpen: boolean;
  readonly onToggle: (pointer: string) => void;
  readonly onMore: (pointer: string) => void;
}

function Line({ line, isOpen, onToggle, onMore }: LineProps & { readonly line: JsonLine }): ReactElement {
  const { pointer, depth } = line;
  return (
    <div
      className="flex min-h-6 items-start leading-6"
      style={{ paddingLeft: `${Math.min(depth, 24) * 14}px` }}
      title={pointer}
    >
      {line.kind === "rest" ? (
        <button
          type="button"
          onClick={() => onMore(pointer)}
          className="pl-6 font-sans text-accent underline-offset-2 hover:underline"
        >
          {line.count.toLocaleString("en-GB")} more
        </button>
      ) : (
        <ValueParts line={line} isOpen={isOpen} onToggle={onToggle} />
      )}
    </div>
  );
}

function ValueParts({
  line: { pointer, name, value, size },
  isOpen,
  onToggle,
}: Omit<LineProps, "onMore"> & { readonly line: ValueLine }): ReactElement {
  const label = typeof name === "string" ? visibleName(name) : name;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <>
      {size === undefined || size === 0 ? (
        <span aria-hidden className="w-6 shrink-0" />
      ) : (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={label === undefined ? "value" : String(label)}
          onClick={() => onToggle(pointer)}
          className="flex size-6 shrink-0 items-center justify-center rounded-control text-text-3 hover:text-text"
        >
          <Chevron aria-hidden size={13} />
        </button>
      )}
      <span className="min-w-0 wrap-anywhere whitespace-pre-wrap">
        {label !== undefined && <bdi className={typeof name === "number" ? "text-text-3" : "text-text-2"}>{label}</bdi>}
        {label !== undefined && <span className="text-text-3">: </span>}
        {size === undefined ? <JsonScalar value={value} /> : <Size isList={Array.isArray(value)} size={size} />}
      </span>
    </>
  );
}

function Size({ isList, size }: { readonly isList: boolean; readonly size: number }): ReactElement {
  const [open, close, noun] = isList ? ["[", "]", "item"] : ["{", "}", "member"];
  const count = size === 0 ? "" : ` ${size.toLocaleString("en-GB")} ${noun}${size === 1 ? "" : "s"} `;
  return <span className="text-text-3">{`${open}${count}${close}`}</span>;
}
