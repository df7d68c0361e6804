import { lazy, Suspense, type ReactElement, type Ref } from "react";
import type { CodeAreaHandle, CodeEditorProps, CodePlace, CodeProblem } from "./code-place.ts";
import { controlClass, Field } from "./field.tsx";

/** CodeMirror is a chunk of its own. Without it, such as after the network was lost, the text is edited plainly. */
const CodeEditor = lazy(async () => {
  try {
    return { default: (await import("./code-editor.tsx")).CodeEditor };
  } catch {
    return { default: PlainEditor };
  }
});

export type { CodeAreaHandle, CodePlace, CodeProblem } from "./code-place.ts";

interface CodeAreaProps {
  readonly label: string;
  readonly hint?: string;
  readonly problem?: string | undefined;
  readonly warning?: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onBlur?: () => void;
  readonly rows?: number;
  readonly problems?: readonly CodeProblem[];
  readonly markedLines?: readonly number[];
  readonly shown?: CodePlace | undefined;
  readonly ref?: Ref<CodeAreaHandle>;
}

const noProblems: readonly CodeProblem[] = [];
const noLines: readonly number[] = [];
const keys = "Tab indents. Esc, then Tab, leaves the text.";

/** A text with line numbers, such as a document in JSON or YAML. Places with problems are marked. */
export function CodeArea({
  label,
  hint,
  problem,
  warning,
  value,
  onChange,
  onBlur,
  rows = 16,
  problems = noProblems,
  markedLines = noLines,
  shown,
  ref,
}: CodeAreaProps): ReactElement {
  const told = [hint, keys].filter(Boolean).join(" ");
  return (
    <Field label={label} hint={told} problem={problem} warning={warning}>
      {({ id }) => (
        <Suspense fallback={<textarea readOnly aria-label={label} rows={rows} value={value} className={plainClass} />}>
          <CodeEditor
            id={id}
            label={label}
            description={[told, problem, warning].filter(Boolean).join(" ")}
            isInvalid={problem !== undefined}
            value={value}
            onChange={onChange}
            onBlur={onBlur}
            rows={rows}
            problems={problems}
            markedLines={markedLines}
            shown={shown}
            ref={ref}
          />
        </Suspense>
      )}
    </Field>
  );
}

const plainClass = `${controlClass} block py-1.5 font-mono text-code`;

function PlainEditor({ id, label, isInvalid, value, onChange, onBlur, rows }: CodeEditorProps): ReactElement {
  return (
    <textarea
      id={id}
      aria-label={label}
      aria-invalid={isInvalid}
      rows={rows}
      wrap="off"
      spellCheck={false}
      autoComplete="off"
      value={value}
      onChange={({ target }) => onChange(target.value)}
      onBlur={onBlur}
      className={plainClass}
    />
  );
}
