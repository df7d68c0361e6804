/* Fields that are bound to a place in a step: each change is an edit of the document. */
import type { ReactElement, ReactNode } from "react";
import { useState } from "react";
import { CheckboxField, SelectField, TextArea, TextField, type SelectOption } from "../../ui/field.tsx";
import { pointerOf, setField, valueAt, type FieldBinding } from "./step-context.ts";

interface FieldFacts extends FieldBinding {
  readonly label: string;
  readonly hint?: ReactNode;
}

/** The place of a field in its step, by which a problem leads to it. */
export function FieldPlace({
  pointer,
  children,
}: {
  readonly pointer: string;
  readonly children: ReactNode;
}): ReactElement {
  return <div data-pointer={pointer}>{children}</div>;
}

interface TextFacts extends FieldFacts {
  /** Whether the step keeps an empty text, because it needs the field. @defaultValue an empty field is removed */
  readonly isRequired?: boolean;
  readonly isLong?: boolean;
  readonly isCode?: boolean;
  readonly rows?: number;
  readonly maxLength?: number;
  /** Id of a list of suggestions. */
  readonly list?: string | undefined;
}

export function BoundText({
  step,
  path,
  label,
  hint,
  isRequired = false,
  isLong = false,
  isCode = false,
  rows = 3,
  maxLength,
  list,
}: TextFacts): ReactElement {
  const value = valueAt({ step, path });
  const pointer = pointerOf(path);
  const shared = {
    label,
    hint,
    ...step.messagesAt(pointer),
    value: typeof value === "string" ? value : "",
    onBlur: step.endAct,
    ...(maxLength !== undefined && { maxLength }),
    ...(!isRequired && { note: "Optional" }),
  };
  const change = (text: string): void => setField({ step, path }, text === "" && !isRequired ? undefined : text);
  return (
    <FieldPlace pointer={pointer}>
      {isLong ? (
        <TextArea {...shared} isCode={isCode} rows={rows} onChange={({ target }) => change(target.value)} />
      ) : (
        <TextField
          {...shared}
          {...(isCode && { spellCheck: false, autoComplete: "off", list })}
          onChange={({ target }) => change(target.value)}
        />
      )}
    </FieldPlace>
  );
}

/** A number. A text that is none stays in the field, and the step keeps its former value. */
export function BoundNumber({
  step,
  path,
  label,
  hint,
  isRequired = false,
  isFraction = false,
}: FieldFacts & { readonly isRequired?: boolean; readonly isFraction?: boolean }): ReactElement {
  const value = valueAt({ step, path });
  const [typed, setTyped] = useState<string>();
  const pointer = pointerOf(path);
  const pattern = isFraction ? /^\d+(\.\d+)?$/ : /^\d{1,15}$/;
  const isFaulty = typed !== undefined && typed.trim() !== "" && !pattern.test(typed.trim());
  const change = (text: string): void => {
    setTyped(text);
    const digits = text.trim();
    if (digits === "") {
      if (!isRequired) setField({ step, path }, undefined);
    } else if (pattern.test(digits)) setField({ step, path }, Number(digits));
  };
  return (
    <FieldPlace pointer={pointer}>
      <TextField
        label={label}
        hint={hint}
        {...(!isRequired && { note: "Optional" })}
        inputMode={isFraction ? "decimal" : "numeric"}
        autoComplete="off"
        value={typed ?? (typeof value === "number" ? String(value) : "")}
        onChange={({ target }) => change(target.value)}
        onBlur={() => {
          if (!isFaulty) setTyped(undefined);
          step.endAct();
        }}
        {...(isFaulty ? { problem: `Enter a ${isFraction ? "number" : "whole number"}.` } : step.messagesAt(pointer))}
      />
    </FieldPlace>
  );
}

/** One of several words. The empty one removes the field. */
export function BoundSelect({
  step,
  path,
  label,
  hint,
  options,
}: FieldFacts & { readonly options: readonly SelectOption[] }): ReactElement {
  const value = valueAt({ step, path });
  const text = typeof value === "string" ? value : "";
  const pointer = pointerOf(path);
  const isKnown = options.some((option) => option.value === text);
  return (
    <FieldPlace pointer={pointer}>
      <SelectField
        label={label}
        hint={hint}
        {...step.messagesAt(pointer)}
        options={isKnown ? options : [...options, { value: text, label: text }]}
        value={text}
        onChange={({ target }) => setField({ step, path }, target.value === "" ? undefined : target.value)}
      />
    </FieldPlace>
  );
}

export function BoundCheckbox({ step, path, label }: Omit<FieldFacts, "hint">): ReactElement {
  return (
    <FieldPlace pointer={pointerOf(path)}>
      <CheckboxField
        label={label}
        checked={valueAt({ step, path }) === true}
        onChange={({ target }) => setField({ step, path }, target.checked ? true : undefined)}
      />
    </FieldPlace>
  );
}

/** Names with commas between them. */
export function BoundNames({ step, path, label, hint }: FieldFacts): ReactElement {
  const value = valueAt({ step, path });
  const names = Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
  const [typed, setTyped] = useState<string>();
  const pointer = pointerOf(path);
  const change = (text: string): void => {
    setTyped(text);
    const next = [...new Set(text.split(",").map((name) => name.trim()))].filter((name) => name !== "");
    setField({ step, path }, next.length === 0 ? undefined : next);
  };
  return (
    <FieldPlace pointer={pointer}>
      <TextField
        label={label}
        hint={hint}
        note="Optional"
        autoComplete="off"
        value={typed ?? names.join(", ")}
        onChange={({ target }) => change(target.value)}
        onBlur={() => {
          setTyped(undefined);
          step.endAct();
        }}
        {...step.messagesAt(pointer)}
      />
    </FieldPlace>
  );
}
