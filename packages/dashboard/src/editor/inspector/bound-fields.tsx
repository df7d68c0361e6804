/* Fields that are bound to a place in a step: each change is an edit of the document. */
import type { ReactElement, ReactNode } from "react";
import { CheckboxField, SelectField, TextArea, TextField, type SelectOption } from "../../ui/field.tsx";
import { stepPlace } from "../typing/typed-texts.ts";
import { useTypedText } from "../typing/use-typed-text.ts";
import { NumberField } from "./number-field.tsx";
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

export function BoundNumber({
  step,
  path,
  ...facts
}: FieldFacts & { readonly isRequired?: boolean; readonly isFraction?: boolean }): ReactElement {
  const value = valueAt({ step, path });
  const pointer = pointerOf(path);
  return (
    <FieldPlace pointer={pointer}>
      <NumberField
        {...facts}
        place={stepPlace(step.node.id, path)}
        value={typeof value === "number" ? value : undefined}
        onChange={(next) => setField({ step, path }, next)}
        onEnd={step.endAct}
        messages={step.messagesAt(pointer)}
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
  const pointer = pointerOf(path);
  const { text, change, finish } = useTypedText({
    place: stepPlace(step.node.id, path),
    value,
    shown: names.join(", "),
    read: (typed) => {
      const next = [...new Set(typed.split(",").map((name) => name.trim()))].filter((name) => name !== "");
      return { value: next.length === 0 ? undefined : next };
    },
    onChange: (next) => setField({ step, path }, next),
  });
  return (
    <FieldPlace pointer={pointer}>
      <TextField
        label={label}
        hint={hint}
        note="Optional"
        autoComplete="off"
        value={text}
        onChange={({ target }) => change(target.value)}
        onBlur={() => {
          finish();
          step.endAct();
        }}
        {...step.messagesAt(pointer)}
      />
    </FieldPlace>
  );
}
