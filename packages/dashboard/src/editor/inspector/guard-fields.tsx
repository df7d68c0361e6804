import type { ToolCallNode } from "@procedo/contract";
import { Plus, Trash2 } from "lucide-react";
import type { ReactElement } from "react";
import { Button, IconButton } from "../../ui/button.tsx";
import { BoundSelect } from "./bound-fields.tsx";
import { BoundExpression } from "./expression-field.tsx";
import { setField, type StepContext } from "./step-context.ts";

/** Conditions that the arguments have to meet before the call is made. */
export function GuardFields({ step }: { readonly step: StepContext<ToolCallNode> }): ReactElement {
  const { guards = [] } = step.node;
  const remove = (index: number): void => {
    const left = guards.toSpliced(index, 1);
    setField({ step, path: ["guards"] }, left.length === 0 ? undefined : left);
  };
  return (
    <>
      {guards.map((_guard, index) => (
        <fieldset key={index} className="flex flex-col gap-2 border-l-2 border-hairline pl-3">
          <legend className="flex items-center gap-1 font-medium">
            Guard {index + 1}
            <IconButton icon={Trash2} label={`Remove guard ${index + 1}`} onClick={() => remove(index)} />
          </legend>
          <BoundExpression
            step={step}
            path={["guards", index, "check"]}
            label="Has to be true"
            hint="An expression over args, such as args.amount <= 500000."
            isRequired
            readsArguments
          />
          <BoundSelect
            step={step}
            path={["guards", index, "otherwise"]}
            label="If it is not"
            options={[
              { value: "review", label: "A person decides" },
              { value: "fail", label: "The step fails" },
            ]}
          />
        </fieldset>
      ))}
      <Button
        icon={Plus}
        className="self-start"
        onClick={() => setField({ step, path: ["guards"] }, [...guards, { check: "", otherwise: "review" }])}
      >
        Add guard
      </Button>
    </>
  );
}
