import type { ReactElement, ReactNode } from "react";
import { TextField } from "../../ui/field.tsx";
import { useTypedText } from "../typing/use-typed-text.ts";

/** A name to which other places refer. It changes when the person leaves the field, and only to a possible one. */
export function NameField({
  place,
  label,
  hint,
  name,
  whyNot,
  onRename,
  problem,
  warning,
}: {
  readonly place: string;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly name: string;
  /** Why a text cannot be the name; `undefined` if it can. */
  readonly whyNot: (text: string) => string | undefined;
  readonly onRename: (text: string) => void;
  readonly problem?: string | undefined;
  readonly warning?: string | undefined;
}): ReactElement {
  const { text, fault, change, finish, discard } = useTypedText({
    place,
    value: name,
    shown: name,
    read: (typed) => {
      const problem = whyNot(typed);
      return problem === undefined ? { value: typed } : { problem };
    },
    onChange: (typed) => onRename(typed as string),
    isLate: true,
  });
  return (
    <TextField
      label={label}
      hint={hint}
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={({ target }) => change(target.value)}
      onBlur={finish}
      onKeyDown={({ key }) => {
        if (key === "Enter") finish();
        if (key === "Escape") discard();
      }}
      problem={fault ?? problem}
      warning={warning}
    />
  );
}
