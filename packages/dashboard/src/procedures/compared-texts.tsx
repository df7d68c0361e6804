import { useMemo, useState, type ReactElement } from "react";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { compareTexts, withoutEqualParts, type ComparedLine, type ComparedPart } from "./text-comparison.ts";

interface ComparedTextsProps {
  readonly left: string;
  readonly right: string;
  readonly leftName: string;
  readonly rightName: string;
}

/** Two JSON texts side by side. Equal parts are left out until they are asked for. */
export function ComparedTexts({ left, right, leftName, rightName }: ComparedTextsProps): ReactElement {
  const [isWhole, setWhole] = useState(false);
  const parts = useMemo((): readonly ComparedPart[] => {
    const rows = compareTexts(left, right);
    return isWhole ? rows.map((row) => ({ kind: "row", row })) : withoutEqualParts(rows);
  }, [left, right, isWhole]);
  return (
    <section aria-label="Documents" className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-section font-semibold">Documents</h2>
        <Button variant="quiet" onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show changes only" : "Show all lines"}
        </Button>
      </div>
      <div
        className="overflow-x-auto rounded-panel border border-hairline bg-surface"
        tabIndex={0}
        role="group"
        aria-label="Documents side by side"
      >
        <table className="w-full min-w-160 table-fixed border-collapse font-mono text-code">
          <caption className="sr-only">Lines of both documents</caption>
          <thead>
            <tr className="border-b border-hairline text-left font-sans text-small text-text-2">
              <th scope="col" className="px-3 py-1.5 font-medium">
                {leftName}
              </th>
              <th scope="col" className="border-l border-hairline px-3 py-1.5 font-medium">
                {rightName}
              </th>
            </tr>
          </thead>
          <tbody>
            {parts.map((part, index) =>
              part.kind === "gap" ? (
                <tr key={index}>
                  <td colSpan={2} className="bg-sunken px-3 py-1 font-sans text-small text-text-2">
                    {part.count.toLocaleString("en-GB")} equal {part.count === 1 ? "line" : "lines"}
                  </td>
                </tr>
              ) : (
                <tr key={index}>
                  <Line line={part.row.left} side={part.row.isEqual ? undefined : "old"} />
                  <Line line={part.row.right} side={part.row.isEqual ? undefined : "new"} />
                </tr>
              ),
            )}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Line({
  line,
  side,
}: {
  readonly line: ComparedLine | undefined;
  /** Of a line that differs. */
  readonly side: "old" | "new" | undefined;
}): ReactElement {
  if (line === undefined) return <td className="bg-sunken" />;
  return (
    <td
      className={cx(
        "px-1.5 align-top wrap-anywhere whitespace-pre-wrap",
        side === "old" && "bg-failed-bg text-failed",
        side === "new" && "bg-completed-bg text-completed",
      )}
    >
      <span className="inline-block w-4 select-none">{side === "old" ? "−" : side === "new" ? "+" : ""}</span>
      {line.text}
    </td>
  );
}
