import type { DocumentProblem, JsonObject, JsonValue } from "@procedo/contract";
import { readJsonText } from "@procedo/procedure";
import { useMemo, type ReactElement } from "react";
import { CodeArea, type CodePlace, type CodeProblem } from "../../ui/code-area.tsx";
import { ChangedBeneath } from "../typing/changed-beneath.tsx";
import { useTypedJson } from "../inspector/use-typed-json.ts";

interface JsonCodeProps {
  readonly place: string;
  readonly label: string;
  readonly hint: string;
  readonly rows: number;
  readonly value: JsonObject;
  readonly onChange: (value: JsonObject) => void;
  readonly onEnd: () => void;
  readonly whyNot?: (value: JsonValue) => string | undefined;
  /** Problems of the value, by their pointers in it. */
  readonly problems: readonly DocumentProblem[];
  /** The problem to whose place the person wants to go. */
  readonly opened?: DocumentProblem | undefined;
}

/** An object as a text with line numbers. Faults and problems are marked at their lines. */
export function JsonCode({
  place,
  label,
  hint,
  rows,
  value,
  onChange,
  onEnd,
  whyNot,
  problems,
  opened,
}: JsonCodeProps): ReactElement {
  const typing = useTypedJson({
    place,
    value,
    isObject: true,
    whyNot,
    onChange: (next) => {
      if (next !== undefined) onChange(next as JsonObject);
    },
  });
  const { text, change, fault, takeOver } = typing;
  const placed = useMemo(() => placedProblems(text, problems), [text, problems]);
  const shown = useMemo(
    (): CodePlace | undefined => (opened === undefined ? undefined : readJsonText(text).positionOf(opened.path)),
    // Only a new choice leads to its place, not each change of the text.
    // oxlint-disable-next-line react/exhaustive-deps
    [opened],
  );
  const [first] = placed.faults;
  return (
    <div className="flex flex-col gap-3">
      <ChangedBeneath typing={typing} />
      <CodeArea
        label={label}
        hint={hint}
        rows={rows}
        value={text}
        onChange={change}
        onBlur={onEnd}
        problems={placed.all}
        shown={shown}
        problem={
          fault === undefined || first === undefined || takeOver !== undefined
            ? fault
            : `This is not JSON yet. Line ${first.line}, column ${first.column}: ${first.message}`
        }
      />
    </div>
  );
}

/** The faults of a text, and the problems of its value, at their places. */
function placedProblems(
  text: string,
  problems: readonly DocumentProblem[],
): { readonly faults: readonly CodeProblem[]; readonly all: readonly CodeProblem[] } {
  const read = readJsonText(text);
  const placeOf = ({ line = 1, column = 1, severity, message }: PlacedProblem): CodeProblem => ({
    line,
    column,
    severity,
    message,
  });
  const faults = read.problems.map(placeOf);
  return { faults, all: [...faults, ...read.place(problems as never).map(placeOf)] };
}

type PlacedProblem = Pick<CodeProblem, "severity" | "message"> & {
  readonly line?: number | undefined;
  readonly column?: number | undefined;
};
