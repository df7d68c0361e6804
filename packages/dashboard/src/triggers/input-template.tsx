import { useId, useState, type ReactElement } from "react";
import type { FormField } from "../forms/form-field.ts";
import { cx } from "../ui/cx.ts";
import { TextArea, TextField } from "../ui/field.tsx";
import { mappedNames, memberOf, shownJson, textsOf, token, type MappingDraft } from "./mapping-draft.ts";
import type { ProblemOf } from "./draft-fields.ts";

interface InputTemplateProps {
  readonly field: FormField;
  readonly draft: MappingDraft;
  readonly onChange: (draft: MappingDraft) => void;
  /** Expressions that the fields suggest. */
  readonly expressions: readonly string[];
  readonly problemOf: ProblemOf;
}

/** The template of the runs' input: a field for each member of the procedure's input, or the whole as JSON. */
export function InputTemplate({ field, draft, onChange, expressions, problemOf }: InputTemplateProps): ReactElement {
  const [isJson, setJson] = useState(false);
  const listId = useId();
  const texts = textsOf(draft, field);
  const names = texts === undefined ? [] : mappedNames(field, texts);
  const showsJson = isJson || texts === undefined;
  if (!showsJson && names.length === 0) {
    return <p className="text-text-2">The procedure takes no input, or has not been chosen yet.</p>;
  }
  return (
    <fieldset className="rounded-panel border border-hairline bg-surface">
      <legend className="sr-only">Input</legend>
      <div className="flex items-center gap-4 border-b border-hairline px-4">
        <span className="font-medium">Input</span>
        <span role="group" aria-label="Input as" className="ml-auto flex gap-3">
          <ModeButton label="Fields" isOn={!showsJson} onClick={() => setJson(false)} />
          <ModeButton label="JSON" isOn={showsJson} onClick={() => setJson(true)} />
        </span>
      </div>
      <div className="flex flex-col gap-4 p-4">
        <p className="text-small text-text-3">
          A value, or an expression in {"{{ }}"}, whose value is taken when the run starts.
        </p>
        {showsJson ? (
          <>
            {texts === undefined && <p className="text-small text-text-2">This template cannot be shown as fields.</p>}
            <TextArea
              label="Template as JSON"
              isCode
              rows={10}
              value={shownJson(draft, field)}
              onChange={({ target }) => onChange({ source: "json", json: target.value })}
              problem={problemOf("/input")}
            />
          </>
        ) : (
          <>
            <datalist id={listId}>
              {expressions.map((expression) => (
                <option key={expression} value={expression} />
              ))}
            </datalist>
            {names.map((name) => (
              <MemberField
                key={name}
                name={name}
                field={memberOf(field, name)}
                text={texts.get(name) ?? ""}
                listId={listId}
                onChange={(text) => onChange({ source: "fields", texts: new Map(texts).set(name, text) })}
                problem={problemOf(`/input/${token(name)}`)}
              />
            ))}
          </>
        )}
      </div>
    </fieldset>
  );
}

function ModeButton({
  label,
  isOn,
  onClick,
}: {
  readonly label: string;
  readonly isOn: boolean;
  readonly onClick: () => void;
}): ReactElement {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onClick}
      className={cx(
        "-mb-px border-b-2 py-2 font-medium",
        isOn ? "border-accent text-text" : "border-transparent text-text-2 hover:text-text",
      )}
    >
      {label}
    </button>
  );
}

interface MemberFieldProps {
  readonly name: string;
  /** `undefined` for a member that the procedure's input does not have. */
  readonly field: FormField | undefined;
  readonly text: string;
  readonly listId: string;
  readonly onChange: (text: string) => void;
  readonly problem: string | undefined;
}

function MemberField({ name, field, text, listId, onChange, problem }: MemberFieldProps): ReactElement {
  const facts = {
    label: field?.label ?? name,
    note: field === undefined ? "Not in the procedure's input" : field.isRequired ? undefined : "Optional",
    hint: hintOf(field),
    problem,
  };
  const isLong = text.includes("\n") || field?.kind === "object" || field?.kind === "list" || field?.kind === "json";
  if (isLong) {
    return (
      <TextArea
        {...facts}
        isCode
        rows={Math.min(10, Math.max(2, text.split("\n").length))}
        value={text}
        onChange={({ target }) => onChange(target.value)}
      />
    );
  }
  return (
    <TextField
      {...facts}
      list={listId}
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

function hintOf(field: FormField | undefined): string | undefined {
  const kinds: Readonly<Partial<Record<FormField["kind"], string>>> = {
    number: "A number.",
    boolean: "true or false.",
    object: "An object as JSON.",
    list: "A list as JSON.",
    json: "A value as JSON.",
  };
  const choices =
    field?.kind === "choice" ? `One of ${field.choices.map(({ label }) => label).join(", ")}.` : undefined;
  const parts = [field?.hint, choices, field === undefined ? undefined : kinds[field.kind]];
  const text = parts.filter((part) => part !== undefined).join(" ");
  return text === "" ? undefined : text;
}
