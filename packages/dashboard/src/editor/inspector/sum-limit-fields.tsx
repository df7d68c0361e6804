import type { JsonValue, SumLimit, ToolCallNode } from "@procedo/contract";
import { Plus, Trash2 } from "lucide-react";
import type { ReactElement } from "react";
import { Button, IconButton } from "../../ui/button.tsx";
import { stepPlace } from "../typing/typed-texts.ts";
import { useTyping } from "../typing/use-typed-text.ts";
import { BoundNumber, BoundSelect, BoundText } from "./bound-fields.tsx";
import { BoundExpression } from "./expression-field.tsx";
import { setField, type StepContext } from "./step-context.ts";

/** Limits on the amounts that the calls of the step may add up to. */
export function SumLimitFields({ step }: { readonly step: StepContext<ToolCallNode> }): ReactElement {
  const { sumLimits = [] } = step.node;
  const { forget } = useTyping();
  const set = (limits: readonly SumLimit[]): void =>
    setField({ step, path: ["sumLimits"] }, limits.length === 0 ? undefined : (limits as unknown as JsonValue));
  return (
    <>
      {sumLimits.map((limit, index) => (
        <fieldset key={index} className="flex flex-col gap-2 border-l-2 border-hairline pl-3">
          <legend className="flex items-center gap-1 font-medium">
            Limit {index + 1}
            <IconButton
              icon={Trash2}
              label={`Remove limit ${index + 1}`}
              onClick={() => {
                // The limits behind it move up.
                forget(stepPlace(step.node.id, ["sumLimits"]));
                set(sumLimits.toSpliced(index, 1));
              }}
            />
          </legend>
          <BoundText
            step={step}
            path={["sumLimits", index, "name"]}
            label="Limit name"
            hint="Lower-case letters, digits, - and _. A later version that keeps it continues the sum."
            isRequired
          />
          <BoundExpression
            step={step}
            path={["sumLimits", index, "sum"]}
            label="Amount of a call"
            hint="An expression over args that gives a whole number, such as args.amount."
            isRequired
            readsArguments
          />
          <BoundExpression step={step} path={["sumLimits", index, "when"]} label="Counts if" readsArguments />
          <BoundNumber
            step={step}
            path={["sumLimits", index, "atMost"]}
            label="At most"
            hint="In the unit of the amount, such as cents."
            isRequired
          />
          <BoundSelect
            step={step}
            path={["sumLimits", index, "per"]}
            label="Per"
            options={[
              { value: "run", label: "Run" },
              { value: "day", label: "Day" },
            ]}
          />
          {limit.per === "day" && (
            <BoundText
              step={step}
              path={["sumLimits", index, "timeZone"]}
              label="Time zone of the days"
              hint="Such as Europe/Berlin."
              isRequired
            />
          )}
          <BoundSelect
            step={step}
            path={["sumLimits", index, "otherwise"]}
            label="A call that would exceed it"
            options={[
              { value: "", label: "Fails (standard)" },
              { value: "review", label: "Is decided on by a person" },
            ]}
          />
        </fieldset>
      ))}
      <Button
        icon={Plus}
        className="self-start"
        onClick={() => set([...sumLimits, { name: freeName(sumLimits), sum: "", atMost: 0, per: "run" }])}
      >
        Add limit
      </Button>
    </>
  );
}

function freeName(limits: readonly SumLimit[]): string {
  const taken = new Set(limits.map(({ name }) => name));
  let name = "limit";
  for (let number = 2; taken.has(name); number++) name = `limit_${number}`;
  return name;
}
