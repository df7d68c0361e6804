import { plainReading } from "@procedo/procedure";
import type { ReactElement, ReactNode } from "react";
import { CompletingArea } from "../../ui/completing-area.tsx";
import { useCompletions } from "../expressions/use-completions.ts";
import { valueNames } from "../../flowchart/value-names.ts";
import { FieldPlace } from "./bound-fields.tsx";
import { pointerOf, setField, valueAt, type FieldBinding, type StepContext } from "./step-context.ts";

/** A field of a step that is an expression. */
export function BoundExpression({
  step,
  path,
  label,
  hint,
  isRequired = false,
  readsArguments = false,
}: FieldBinding & {
  readonly label: string;
  readonly hint?: ReactNode;
  /** Whether the step keeps an empty text, because it needs the field. @defaultValue an empty field is removed */
  readonly isRequired?: boolean;
  /** Whether the expression reads the proposed arguments as `args`. */
  readonly readsArguments?: boolean;
}): ReactElement {
  const value = valueAt({ step, path });
  const pointer = pointerOf(path);
  return (
    <FieldPlace pointer={pointer}>
      <ExpressionArea
        step={step}
        label={label}
        hint={hint}
        {...(!isRequired && { note: "Optional" })}
        {...step.messagesAt(pointer)}
        readsArguments={readsArguments}
        value={typeof value === "string" ? value : ""}
        onChange={(text) => setField({ step, path }, text === "" && !isRequired ? undefined : text)}
      />
    </FieldPlace>
  );
}

/** An expression with its reading in words below it. */
export function ExpressionArea({
  step,
  label,
  hint,
  note,
  problem,
  warning,
  placeholder,
  readsArguments = false,
  value,
  onChange,
}: {
  readonly step: StepContext;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly note?: string;
  readonly problem?: string;
  readonly warning?: string;
  readonly placeholder?: string;
  readonly readsArguments?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): ReactElement {
  const completionsAt = useCompletions(step, "expression", { args: readsArguments });
  const reading = problem === undefined ? plainReading(value, valueNames(step.document)) : "";
  // The name alone of a value says no more than its path.
  const isRead = reading !== "" && !value.trim().endsWith(reading);
  return (
    <CompletingArea
      label={label}
      note={note}
      problem={problem}
      warning={warning}
      placeholder={placeholder}
      rows={Math.min(6, Math.max(1, value.split("\n").length, Math.ceil(value.length / 40)))}
      value={value}
      onChange={onChange}
      completionsAt={completionsAt}
      onBlur={step.endAct}
      hint={
        isRead || hint !== undefined ? (
          <>
            {isRead && <span className="block wrap-anywhere text-text-2">In words: {reading}</span>}
            {hint}
          </>
        ) : undefined
      }
    />
  );
}
