import { ChevronDown, ChevronRight, Download } from "lucide-react";
import { useCallback, useMemo, useState, type ReactElement } from "react";
import { Button } from "../ui/button.tsx";
import { Copy } from "../ui/copy.tsx";
import { saveFile } from "./save-file.ts";
import { jsonLines, maxLines, type JsonLine, type JsonValue } from "./json-lines.ts";

interface JsonViewProps {
  /** Names the value: "Input". */
  readonly what: string;
  readonly value: JsonValue;
}

const openDepth = 2;

/** A JSON value as a tree. It can be copied and downloaded whole, also where only a part of it is shown. */
export function JsonView({ what, value }: JsonViewProps): ReactElement {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const isOpen = useCallback(
    (pointer: string, depth: number): boolean => depth < openDepth !== toggled.has(pointer),
    [toggled],
  );
  const { lines, hasMore } = useMemo(() => jsonLines(value, isOpen), [value, isOpen]);
  const toggle = (pointer: string): void => {
    setToggled((before) => {
      const after = new Set(before);
      if (!after.delete(pointer)) after.add(pointer);
      return after;
    });
  };
  const text = (): string => JSON.stringify(value, undefined, 2);
  return (
    <div className="relative rounded-panel border border-hairline bg-sunken">
      <div className="absolute top-1 right-1 flex">
        <Copy what={what.toLowerCase()} text={text()} />
      </div>
      <div
        className="max-h-[60dvh] overflow-auto py-2 pr-9 pl-2 font-mono text-code"
        tabIndex={0}
        role="group"
        aria-label={what}
      >
        {lines.map((line) => (
          <Line key={line.pointer} line={line} isOpen={isOpen(line.pointer, line.depth)} onToggle={toggle} />
        ))}
        {hasMore && (
          <p className="mt-2 flex items-center gap-2 font-sans text-body text-text-2">
            The first {maxLines} lines are shown.
            <Button variant="quiet" icon={Download} onClick={() => saveFile(`${what.toLowerCase()}.json`, text())}>
              Download all
            </Button>
          </p>
        )}
      </div>
    </div>
  );
}

function Line({
  line: { pointer, depth, name, value, size },
  isOpen,
  onToggle,
}: {
  readonly line: JsonLine;
  readonly isOpen: boolean;
  readonly onToggle: (pointer: string) => void;
}): ReactElement {
  const label = name ?? "value";
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <div className="flex min-h-6 items-start leading-6" style={{ paddingLeft: `${depth * 16}px` }}>
      {size === undefined || size === 0 ? (
        <span aria-hidden className="w-6 shrink-0" />
      ) : (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={label}
          onClick={() => onToggle(pointer)}
          className="flex size-6 shrink-0 items-center justify-center rounded-control text-text-3 hover:text-text"
        >
          <Chevron aria-hidden size={13} />
        </button>
      )}
      <span className="min-w-0 wrap-anywhere whitespace-pre-wrap">
        {name !== undefined && <span className="text-text-2">{name}: </span>}
        <Value value={value} size={size} />
      </span>
    </div>
  );
}

function Value({ value, size }: { readonly value: JsonValue; readonly size: number | undefined }): ReactElement {
  if (size !== undefined) {
    const [open, close, noun] = Array.isArray(value) ? ["[", "]", "item"] : ["{", "}", "member"];
    const count = size === 0 ? "" : ` ${size} ${noun}${size === 1 ? "" : "s"} `;
    return <span className="text-text-3">{`${open}${count}${close}`}</span>;
  }
  const colour = typeof value === "string" ? "text-completed" : "text-accent";
  return <span className={colour}>{JSON.stringify(value)}</span>;
}
