import type { KeyboardEvent, ReactElement, ReactNode } from "react";
import { CompletingArea, type CompletionsAt } from "../../ui/completing-area.tsx";
import { TextArea } from "../../ui/field.tsx";
import { useCompletions } from "../expressions/use-completions.ts";
import { ChangedBeneath } from "../typing/changed-beneath.tsx";
import { stepPlace } from "../typing/typed-texts.ts";
import { FieldPlace } from "./bound-fields.tsx";
import { pointerOf, setField, valueAt, type FieldBinding } from "./step-context.ts";
import { useTypedJson, type JsonTyping } from "./use-typed-json.ts";

interface JsonAreaProps extends JsonTyping {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly isLabelHidden?: boolean;
  readonly rows?: number;
  readonly onEnd: () => void;
  readonly problem?: string | undefined;
  readonly warning?: string | undefined;
  /** Completes the expressions of a template. */
  readonly completionsAt?: CompletionsAt | undefined;
}

/** JSON as text. A text that is no JSON stays in the field, and changes nothing until it is. */
export function JsonArea({
  label,
  hint,
  isLabelHidden = false,
  rows,
  onEnd,
  isOptional = false,
  problem,
  warning,
  completionsAt,
  ...field
}: JsonAreaProps): ReactElement {
  const typing = useTypedJson({ ...field, isOptional });
  const { text, change, fault } = typing;
  const shared = {
    label,
    hint,
    isLabelHidden,
    ...(isOptional && { note: "Optional" }),
    rows: rows ?? Math.min(14, Math.max(3, text.split("\n").length)),
    value: text,
    onBlur: onEnd,
    // The text is undone as typed, not by acts on the document.
    onKeyDown: (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && /^[zy]$/i.test(event.key)) event.stopPropagation();
    },
    problem: fault ?? problem,
    warning,
  };
  return (
    <>
      <ChangedBeneath typing={typing} />
      {completionsAt === undefined ? (
        <TextArea {...shared} isCode onChange={({ target }) => change(target.value)} />
      ) : (
        <CompletingArea {...shared} onChange={change} completionsAt={completionsAt} />
      )}
    </>
  );
}

/** A template of a step as JSON, whose expressions are completed. */
export function BoundTemplate({
  step,
  path,
  ...facts
}: FieldBinding & { readonly label: string; readonly hint?: ReactNode }): ReactElement {
  const completionsAt = useCompletions(step, "template");
  return <BoundJson {...facts} step={step} path={path} completionsAt={completionsAt} />;
}

/** A field of a step as JSON. */
export function BoundJson({
  step,
  path,
  isAny = false,
  isRequired = false,
  ...facts
}: FieldBinding & {
  readonly label: string;
  readonly hint?: ReactNode;
  /** Whether the value may be other than an object. */
  readonly isAny?: boolean;
  readonly isRequired?: boolean;
  readonly completionsAt?: CompletionsAt;
}): ReactElement {
  const pointer = pointerOf(path);
  return (
    <FieldPlace pointer={pointer}>
      <JsonArea
        {...facts}
        isObject={!isAny}
        isOptional={!isRequired}
        place={stepPlace(step.node.id, path)}
        value={valueAt({ step, path })}
        onChange={(value) => setField({ step, path }, value)}
        onEnd={step.endAct}
        {...step.messagesAt(pointer)}
      />
    </FieldPlace>
  );
}
