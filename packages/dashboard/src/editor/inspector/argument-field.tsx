import type { JsonValue, ToolCallNode } from "@procedo/contract";
import { useState, type ReactElement } from "react";
import type { FormField } from "../../forms/form-field.ts";
import { SelectField, TextField, type SelectOption } from "../../ui/field.tsx";
import type { FieldMessages } from "../problems/shown-problems.ts";
import { stepPlace } from "../typing/typed-texts.ts";
import { useTyping } from "../typing/use-typed-text.ts";
import { expressionIn, expressionValue, fillingOf, typedText, typedValue, type Filling } from "./argument-value.ts";
import { FieldPlace } from "./bound-fields.tsx";
import { ExpressionArea } from "./expression-field.tsx";
import { JsonArea } from "./json-field.tsx";
import { pointerOf, setField, valueAt, type FieldPath, type StepContext } from "./step-context.ts";

interface ArgumentFieldProps {
  readonly step: StepContext<ToolCallNode>;
  readonly name: string;
  readonly field: FormField;
}

/** One argument of a call, and how it is filled. */
export function ArgumentField({ step, name, field }: ArgumentFieldProps): ReactElement {
  const path: FieldPath = ["arguments", name];
  const value = valueAt({ step, path });
  const hasAgent = step.node.instructions !== undefined;
  const [picked, setPicked] = useState<Filling>();
  const [typed, setTyped] = useState<string>();
  // Spaces at the end, and a "}}" that ends the template too early, stay in the field while a person types.
  const source = typed !== undefined && value === expressionValue(typed) ? typed : expressionIn(value);
  const standard = !hasAgent && field.isRequired && value === undefined ? "value" : fillingOf(value, hasAgent);
  const filling = value === undefined ? (picked ?? standard) : keepsPick(picked, value, source) ? picked : standard;
  const set = (next: JsonValue | undefined): void => setField({ step, path }, next);
  const place = stepPlace(step.node.id, path);
  const { forget } = useTyping();
  const pick = (next: Filling): void => {
    setPicked(next);
    forget(place);
    if (next === "agent" || next === "none") set(undefined);
    else if (next === "expression" && source === undefined) set(undefined);
    else if (next === "value" && source !== undefined) set(undefined);
    step.endAct();
  };
  const pointer = pointerOf(path);
  const messages = step.messagesAt(pointer);
  return (
    <FieldPlace pointer={pointer}>
      <div
        role="group"
        aria-label={field.label}
        className="grid grid-cols-[minmax(0,1fr)_8.5rem] items-start gap-2 max-sm:grid-cols-1"
      >
        {filling === "expression" && (
          <ExpressionArea
            step={step}
            label={field.label}
            hint={field.hint}
            placeholder="input.amount"
            value={source ?? ""}
            onChange={(text) => {
              setPicked("expression");
              setTyped(text);
              set(expressionValue(text));
            }}
            {...messages}
          />
        )}
        {filling === "value" && (
          <ValueField
            place={place}
            field={field}
            value={value}
            messages={messages}
            onChange={(next) => {
              setPicked("value");
              set(next);
            }}
            onEnd={step.endAct}
          />
        )}
        {(filling === "agent" || filling === "none") && (
          <p className="text-text-2">
            <span className="block font-medium wrap-anywhere text-text">{field.label}</span>
            {filling === "agent" ? "Proposed by the agent, from its instructions." : "Left out."}
          </p>
        )}
        <SelectField
          label={`${field.label} is`}
          isLabelHidden
          className="pt-6 max-sm:pt-0"
          options={fillingOptions(field, hasAgent)}
          value={filling}
          onChange={({ target }) => pick(target.value as Filling)}
        />
      </div>
    </FieldPlace>
  );
}

/** A text stays what a person types it as: a value also while it looks like an expression, and the other way round. */
function keepsPick(
  picked: Filling | undefined,
  value: JsonValue,
  source: string | undefined,
): picked is "value" | "expression" {
  return (picked === "value" && typeof value === "string") || (picked === "expression" && source !== undefined);
}

function fillingOptions({ isRequired }: FormField, hasAgent: boolean): readonly SelectOption[] {
  const words: readonly (readonly [Filling, string, boolean])[] = [
    ["value", "Value", true],
    ["expression", "Expression", true],
    ["agent", "By the agent", hasAgent],
    ["none", "Left out", !hasAgent && !isRequired],
  ];
  return words.filter(([, , isOffered]) => isOffered).map(([value, label]) => ({ value, label }));
}

function ValueField({
  place,
  field,
  value,
  messages,
  onChange,
  onEnd,
}: {
  readonly place: string;
  readonly field: FormField;
  readonly value: JsonValue | undefined;
  readonly messages: FieldMessages;
  readonly onChange: (value: JsonValue | undefined) => void;
  readonly onEnd: () => void;
}): ReactElement {
  const { label, hint } = field;
  const [typed, setTyped] = useState<string>();
  // "100." and "100.0" are on the way to another number than 100.
  const text = typed !== undefined && typedValue(field, typed) === value ? typed : typedText(value);
  if (field.kind === "boolean" || field.kind === "choice") {
    const choices = field.kind === "boolean" ? yesAndNo : field.choices;
    const json = value === undefined ? "" : JSON.stringify(value);
    const options = choices.map((choice): SelectOption => ({ value: choice.text, label: choice.label }));
    const isKnown = options.some((option) => option.value === json);
    return (
      <SelectField
        label={label}
        hint={hint}
        {...messages}
        value={json}
        options={isKnown ? options : [{ value: json, label: text === "" ? "Choose" : (text ?? json) }, ...options]}
        onChange={({ target }) => onChange(JSON.parse(target.value) as JsonValue)}
      />
    );
  }
  if (text === undefined || field.kind === "object" || field.kind === "list" || field.kind === "json") {
    return (
      <JsonArea
        place={place}
        label={label}
        hint={hint}
        value={value}
        isOptional
        onChange={onChange}
        onEnd={onEnd}
        {...messages}
      />
    );
  }
  return (
    <TextField
      label={label}
      hint={hint}
      autoComplete="off"
      inputMode={field.kind === "number" ? "decimal" : "text"}
      value={text}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange(typedValue(field, target.value));
      }}
      onBlur={onEnd}
      {...messages}
    />
  );
}

const yesAndNo = [
  { text: "true", label: "Yes" },
  { text: "false", label: "No" },
] as const;
