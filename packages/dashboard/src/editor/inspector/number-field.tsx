import type { ReactElement, ReactNode } from "react";
import { TextField } from "../../ui/field.tsx";
import type { FieldMessages } from "../problems/shown-problems.ts";
import { useTypedText, type ReadText } from "../typing/use-typed-text.ts";

/** A number. A text that is none stays in the field, and the former value in the document. */
export function NumberField({
  place,
  label,
  hint,
  value,
  isRequired = false,
  isFraction = false,
  onChange,
  onEnd,
  messages,
}: {
  readonly place: string;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly value: number | undefined;
  /** Whether the field may not be emptied. */
  readonly isRequired?: boolean;
  readonly isFraction?: boolean;
  readonly onChange: (value: number | undefined) => void;
  readonly onEnd: () => void;
  readonly messages: FieldMessages;
}): ReactElement {
  const read = (text: string): ReadText => {
    const digits = text.trim();
    if (digits === "" && !isRequired) return { value: undefined };
    if ((isFraction ? /^\d+(\.\d+)?$/ : /^\d{1,15}$/).test(digits)) return { value: Number(digits) };
    return { problem: `Enter a ${isFraction ? "number" : "whole number"}.` };
  };
  const { text, fault, change, finish } = useTypedText({
    place,
    value,
    shown: value === undefined ? "" : String(value),
    read,
    onChange: (next) => onChange(next as number | undefined),
  });
  return (
    <TextField
      label={label}
      hint={hint}
      {...(!isRequired && { note: "Optional" })}
      inputMode={isFraction ? "decimal" : "numeric"}
      autoComplete="off"
      value={text}
      onChange={({ target }) => change(target.value)}
      onBlur={() => {
        finish();
        onEnd();
      }}
      {...(fault === undefined ? messages : { problem: fault })}
    />
  );
}
