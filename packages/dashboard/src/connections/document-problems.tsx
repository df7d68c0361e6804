import { CircleX, TriangleAlert } from "lucide-react";
import { useState, type ReactElement } from "react";
import type { components } from "../api/schema.d.ts";
import { Button } from "../ui/button.tsx";
import type { CodePlace } from "../ui/code-area.tsx";
import { Section } from "../ui/section.tsx";

type DocumentProblem = components["schemas"]["Problem"];

const looks = {
  error: { icon: CircleX, word: "Error", colour: "text-failed" },
  warning: { icon: TriangleAlert, word: "Warning", colour: "text-review" },
} as const;

const shownAtFirst = 20;

/** The faults of a document, errors first, each with the way to its place. */
export function DocumentProblems({
  problems,
  onOpen,
}: {
  readonly problems: readonly DocumentProblem[];
  readonly onOpen: ((place: CodePlace) => void) | undefined;
}): ReactElement {
  const [isWhole, setWhole] = useState(false);
  const ordered = problems.toSorted((a, b) => Number(b.severity === "error") - Number(a.severity === "error"));
  const shown = isWhole ? ordered : ordered.slice(0, shownAtFirst);
  return (
    <Section title="Problems">
      <ul className="divide-y divide-hairline rounded-panel border border-hairline bg-surface">
        {shown.map(({ severity, message, path, line, column = 1 }, index) => {
          const { icon: Icon, word, colour } = looks[severity];
          return (
            <li key={index} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-3 py-2">
              <span className={`inline-flex w-20 shrink-0 items-center gap-1.5 font-medium ${colour}`}>
                <Icon aria-hidden size={14} className="shrink-0 self-center" /> {word}
              </span>
              <span className="min-w-48 flex-1 wrap-anywhere">
                {message}
                {path !== "" && <code className="block font-mono text-small text-text-3">{path}</code>}
              </span>
              {line !== undefined &&
                (onOpen === undefined ? (
                  <span className="text-small text-text-2">{placeWords(line, column)}</span>
                ) : (
                  <Button variant="quiet" onClick={() => onOpen({ line, column })}>
                    {placeWords(line, column)}
                  </Button>
                ))}
            </li>
          );
        })}
      </ul>
      {shown.length < ordered.length && (
        <Button className="self-start" onClick={() => setWhole(true)}>
          Show all {ordered.length}
        </Button>
      )}
    </Section>
  );
}

function placeWords(line: number, column: number): string {
  return `Line ${line}, column ${column}`;
}
