import type { DocumentProblem, JsonObject, ProcedureDocument } from "@procedo/contract";
import { jsonPointer } from "@procedo/contract/syntax";
import { Plus, Trash2 } from "lucide-react";
import { useState, type ReactElement } from "react";
import { Button, IconButton } from "../../ui/button.tsx";
import { CheckboxField, SelectField, TextField } from "../../ui/field.tsx";
import { Alert } from "../../ui/problem.tsx";
import type { DocumentEdit } from "../document/document-edit.ts";
import {
  addInputField,
  inputFields,
  removeInputField,
  setInputRequired,
  setInputText,
  setInputType,
  type InputField,
  type InputType,
} from "../document/input-schema.ts";
import { useTyping } from "../typing/use-typed-text.ts";
import { NameField } from "../inspector/name-field.tsx";
import { JsonCode } from "./json-code.tsx";

interface InputViewProps {
  readonly document: ProcedureDocument;
  readonly problems: readonly DocumentProblem[];
  readonly edit: (edit: DocumentEdit) => void;
  readonly onEndAct: () => void;
}

/** The input of a run: its fields, and the same as a JSON Schema. */
export function InputView({ document, problems, edit, onEndAct }: InputViewProps): ReactElement {
  const { input } = document;
  const { texts } = useTyping();
  // An unfinished text is shown again, where the person left it.
  const [isText, setText] = useState(texts["/input"]?.isUnfinished === true);
  const fields = inputFields(input);
  const showsText = isText || fields === undefined;
  const own = problems.filter(({ path }) => /^\/input(\/|$)/.test(path));
  const messages = own.map(({ message }) => message);
  const set = (next: JsonObject): void => edit({ kind: "set_member", path: ["input"], value: next });
  return (
    <section aria-label="Input schema" className="flex max-w-3xl flex-col gap-4">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <p className="max-w-prose text-text-2">
          The data with which a run is started. <strong>Start run</strong> makes its form from it, and expressions read
          it as <code className="font-mono text-code">input</code>.
        </p>
        {fields !== undefined && (
          <Button aria-pressed={isText} onClick={() => setText(!isText)}>
            As JSON Schema
          </Button>
        )}
      </div>
      {messages.length > 0 && (
        <Alert>
          <span className="whitespace-pre-line">{messages.join("\n")}</span>
        </Alert>
      )}
      {showsText ? (
        <JsonCode
          place="/input"
          label="Schema"
          hint="A JSON Schema of an object."
          rows={24}
          value={input}
          onChange={set}
          onEnd={onEndAct}
          problems={own.map((problem) => ({ ...problem, path: problem.path.replace(/^\/input/, "") }))}
        />
      ) : (
        <>
          {fields.length === 0 && <p className="text-text-2">A run needs no input yet.</p>}
          <ul aria-label="Fields of the input" className="flex flex-col gap-3">
            {fields.map((field, index) => (
              <li key={index}>
                <InputFieldRow
                  field={field}
                  names={fields.map(({ name }) => name)}
                  onChange={(change) => set(change(input))}
                  onRename={(to) => edit({ kind: "rename_input", name: field.name, to })}
                  onEnd={onEndAct}
                />
              </li>
            ))}
          </ul>
          <Button icon={Plus} className="self-start" onClick={() => set(addInputField(input))}>
            Add field
          </Button>
        </>
      )}
    </section>
  );
}

const types: readonly { readonly value: InputType; readonly label: string }[] = [
  { value: "text", label: "Text" },
  { value: "whole", label: "Whole number" },
  { value: "number", label: "Number" },
  { value: "yes_no", label: "Yes or no" },
  { value: "date", label: "Date" },
  { value: "list", label: "List" },
  { value: "object", label: "Object" },
];

function InputFieldRow({
  field: { name, type, isRequired, title, description },
  names,
  onChange,
  onRename,
  onEnd,
}: {
  readonly field: InputField;
  readonly names: readonly string[];
  readonly onChange: (change: (input: JsonObject) => JsonObject) => void;
  readonly onRename: (to: string) => void;
  readonly onEnd: () => void;
}): ReactElement {
  const { forget } = useTyping();
  return (
    <fieldset className="rounded-panel border border-hairline bg-surface p-3">
      <legend className="sr-only">Field {name}</legend>
      <div className="grid gap-3 sm:grid-cols-[minmax(0,1fr)_10rem_auto]">
        <NameField
          place={fieldPlace(name)}
          label="Field name"
          name={name}
          whyNot={(text) => whyNotName(text, name, names)}
          onRename={onRename}
        />
        <SelectField
          label="Type"
          options={type === undefined ? [{ value: "", label: "As in the schema" }, ...types] : types}
          value={type ?? ""}
          onChange={({ target }) => {
            if (target.value !== "") onChange((input) => setInputType(input, name, target.value as InputType));
          }}
        />
        <IconButton
          icon={Trash2}
          label={`Remove field ${name}`}
          className="self-end max-sm:justify-self-start"
          onClick={() => {
            forget(fieldPlace(name));
            onChange((input) => removeInputField(input, name));
          }}
        />
        <TextField
          label="Title"
          note="Optional"
          hint="Its name in forms."
          value={title}
          onChange={({ target }) => onChange((input) => setInputText(input, name, "title", target.value))}
          onBlur={onEnd}
        />
        <TextField
          label="Description"
          note="Optional"
          className="sm:col-span-3"
          value={description}
          onChange={({ target }) => onChange((input) => setInputText(input, name, "description", target.value))}
          onBlur={onEnd}
        />
      </div>
      <div className="pt-3">
        <CheckboxField
          label="Required"
          checked={isRequired}
          onChange={({ target }) => onChange((input) => setInputRequired(input, name, target.checked))}
        />
      </div>
    </fieldset>
  );
}

function fieldPlace(name: string): string {
  return jsonPointer(["input", "properties", name]);
}

function whyNotName(text: string, name: string, names: readonly string[]): string | undefined {
  if (text === name) return undefined;
  if (text.trim() === "") return "A field needs a name.";
  return names.includes(text) ? `Another field has the name “${text}”.` : undefined;
}
