import { useState, type ReactElement, type ReactNode } from "react";
import { TextField } from "../../ui/field.tsx";

/** A name to which other places refer. It changes when the person leaves the field, and only to a possible one. */
export function NameField({
  label,
  hint,
  name,
  whyNot,
  onRename,
  problem,
  warning,
}: {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly name: string;
  /** Why a text cannot be the name; `undefined` if it can. */
  readonly whyNot: (text: string) => string | undefined;
  readonly onRename: (text: string) => void;
  readonly problem?: string | undefined;
  readonly warning?: string | undefined;
}): ReactElement {
  const [typed, setTyped] = useState<string>();
  const fault = typed === undefined ? undefined : whyNot(typed);
  const finish = (): void => {
    if (typed === undefined || fault !== undefined) return;
    setTyped(undefined);
    if (typed !== name) onRename(typed);
  };
  return (
    <TextField
      label={label}
      hint={hint}
      autoComplete="off"
      spellCheck={false}
      value={typed ?? name}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={finish}
      onKeyDown={({ key }) => {
        if (key === "Enter") finish();
        if (key === "Escape") setTyped(undefined);
      }}
      problem={fault ?? problem}
      warning={warning}
    />
  );
}
