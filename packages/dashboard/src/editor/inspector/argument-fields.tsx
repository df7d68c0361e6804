import type { ToolCallNode } from "@procedo/contract";
import { useMemo, type ReactElement } from "react";
import { formField, type FormField } from "../../forms/form-field.ts";
import { ArgumentField } from "./argument-field.tsx";
import { BoundTemplate } from "./json-field.tsx";
import type { StepContext } from "./step-context.ts";

interface ArgumentFieldsProps {
  readonly step: StepContext<ToolCallNode>;
  /** Schema of the action's arguments; `undefined` if the page does not know it. */
  readonly schema: unknown;
}

/** The arguments of a call: a field for each member of the action's schema, and the whole as JSON without one. */
export function ArgumentFields({ step, schema }: ArgumentFieldsProps): ReactElement {
  const field = useMemo(() => (schema === undefined ? undefined : formField(schema, "Arguments", true)), [schema]);
  if (field?.kind !== "object") {
    return (
      <BoundTemplate
        step={step}
        path={["arguments"]}
        label="Arguments"
        hint="A template as JSON, with expressions in {{ }}."
      />
    );
  }
  const known = new Set(field.members.map(([name]) => name));
  const others = Object.keys(step.node.arguments ?? {}).filter((name) => !known.has(name));
  return (
    <>
      {field.members.length === 0 && others.length === 0 && (
        <p className="text-text-2">This action takes no arguments.</p>
      )}
      {field.members.map(([name, member]) => (
        <ArgumentField key={name} step={step} name={name} field={member} />
      ))}
      {others.map((name) => (
        <ArgumentField key={name} step={step} name={name} field={unknownField(name)} />
      ))}
    </>
  );
}

/** An argument that the action does not know. It can be left out. */
function unknownField(name: string): FormField {
  return { label: name, hint: "The action has no argument of this name.", isRequired: false, kind: "json" };
}
