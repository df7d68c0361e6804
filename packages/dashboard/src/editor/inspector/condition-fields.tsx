import type { ConditionNode, JsonValue } from "@procedo/contract";
import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide-react";
import type { ReactElement } from "react";
import { Button, IconButton } from "../../ui/button.tsx";
import { SelectField } from "../../ui/field.tsx";
import { waysOf } from "../document/ways.ts";
import { SampleTable } from "../samples/sample-table.tsx";
import { stepPlace } from "../typing/typed-texts.ts";
import { useTyping } from "../typing/use-typed-text.ts";
import { BoundNumber, BoundSelect, BoundText, FieldPlace } from "./bound-fields.tsx";
import { DeciderFields } from "./decider-fields.tsx";
import { BoundExpression } from "./expression-field.tsx";
import { FieldGroup } from "./field-group.tsx";
import { NameField } from "./name-field.tsx";
import { setField, type StepContext } from "./step-context.ts";

type Branch = ConditionNode["branches"][number];

/** The fields of a Condition: its branches in the order in which they are tried, decided by expressions or an agent. */
export function ConditionFields({ step }: { readonly step: StepContext<ConditionNode> }): ReactElement {
  const { node } = step;
  const isAgent = node.question !== undefined;
  return (
    <>
      <SelectField
        label="Decided by"
        value={isAgent ? "agent" : "expressions"}
        options={[
          { value: "expressions", label: "Expressions" },
          { value: "agent", label: "An agent" },
        ]}
        onChange={({ target }) => setField({ step, path: ["question"] }, target.value === "agent" ? "" : undefined)}
      />
      {isAgent && (
        <BoundText step={step} path={["question"]} label="Question" isRequired isLong rows={4} maxLength={20_000} />
      )}
      <ol aria-label="Branches" className="flex flex-col gap-3">
        {node.branches.map((branch, index) => (
          <li key={index}>
            <BranchFields step={step} branch={branch} index={index} />
          </li>
        ))}
      </ol>
      <Button icon={Plus} className="self-start" onClick={() => setBranches(step, [...node.branches, newBranch(node)])}>
        Add branch
      </Button>
      <OtherwiseField step={step} />
      {!isAgent && (
        <FieldGroup title="Sample values" isOpen>
          <SampleTable step={step} />
        </FieldGroup>
      )}
      {isAgent && (
        <FieldGroup title="Confidence" isOpen={node.confidence !== undefined || node.review !== undefined}>
          <ConfidenceFields step={step} />
        </FieldGroup>
      )}
      {isAgent && (
        <FieldGroup title="Limits of the agent" isOpen={node.budget !== undefined}>
          <BoundNumber step={step} path={["budget", "modelCalls"]} label="Most model calls" />
          <BoundNumber step={step} path={["budget", "tokens"]} label="Most tokens" />
        </FieldGroup>
      )}
    </>
  );
}

function setBranches(step: StepContext<ConditionNode>, branches: readonly Branch[]): void {
  setField({ step, path: ["branches"] }, branches as unknown as JsonValue);
}

function newBranch(node: ConditionNode): Branch {
  const taken = new Set(waysOf(node).map(({ branch }) => branch));
  let number = node.branches.length + 1;
  while (taken.has(`branch ${number}`)) number += 1;
  const name = `branch ${number}`;
  return node.question === undefined ? { name, when: "" } : { name, description: "" };
}

function whyNotBranch(step: StepContext<ConditionNode>, branch: string | undefined, text: string): string | undefined {
  if (text === branch) return undefined;
  if (text.trim() === "") return "A branch needs a name.";
  if (text.length > 64) return "A name has at most 64 characters.";
  const isTaken = waysOf(step.node).some((way) => way.branch === text);
  return isTaken ? `Another branch has the name “${text}”.` : undefined;
}

function BranchFields({
  step,
  branch,
  index,
}: {
  readonly step: StepContext<ConditionNode>;
  readonly branch: Branch;
  readonly index: number;
}): ReactElement {
  const { node } = step;
  const { name } = branch;
  const { forget } = useTyping();
  const last = node.branches.length - 1;
  const moveTo = (to: number): void => {
    const branches = node.branches.toSpliced(index, 1);
    setBranches(step, branches.toSpliced(to, 0, branch));
  };
  return (
    <fieldset className="flex flex-col gap-2 border-l-2 border-hairline pl-3">
      <legend className="flex w-full items-center gap-0.5 font-medium">
        <span className="mr-auto wrap-anywhere">Branch {name}</span>
        <IconButton
          icon={ArrowUp}
          label={`Try ${name} earlier`}
          disabled={index === 0}
          onClick={() => moveTo(index - 1)}
        />
        <IconButton
          icon={ArrowDown}
          label={`Try ${name} later`}
          disabled={index === last}
          onClick={() => moveTo(index + 1)}
        />
        <IconButton
          icon={Trash2}
          label={`Delete branch ${name}`}
          disabled={last === 0}
          onClick={() => {
            forget(stepPlace(node.id, ["branches", name]));
            step.edit({ kind: "delete_branch", nodeId: node.id, branch: name });
          }}
        />
      </legend>
      <FieldPlace pointer={`/branches/${index}/name`}>
        <NameField
          place={stepPlace(node.id, ["branches", name, "name"])}
          label="Branch name"
          name={name}
          whyNot={(text) => whyNotBranch(step, name, text)}
          onRename={(to) => step.edit({ kind: "rename_branch", nodeId: node.id, branch: name, to })}
          {...step.messagesAt(`/branches/${index}/name`)}
        />
      </FieldPlace>
      {(node.question === undefined || branch.when !== undefined) && (
        <BoundExpression
          step={step}
          path={["branches", index, "when"]}
          label="Expression"
          hint={
            node.question === undefined
              ? "The first branch whose expression is true is taken."
              : "With an agent, a branch has no expression. Empty this field."
          }
          isRequired={node.question === undefined}
        />
      )}
      {(node.question !== undefined || branch.description !== undefined) && (
        <BoundText
          step={step}
          path={["branches", index, "description"]}
          label="Right if"
          hint="Tells the agent when to choose this branch."
          isRequired={node.question !== undefined}
          isLong
          rows={2}
          maxLength={2_000}
        />
      )}
    </fieldset>
  );
}

function OtherwiseField({ step }: { readonly step: StepContext<ConditionNode> }): ReactElement {
  const { node } = step;
  const { otherwise } = node;
  const { forget } = useTyping();
  if (otherwise === undefined) {
    return (
      <Button
        icon={Plus}
        className="self-start"
        onClick={() => setField({ step, path: ["otherwise"] }, newBranch(node).name.replace("branch", "otherwise"))}
      >
        Add otherwise
      </Button>
    );
  }
  return (
    <FieldPlace pointer="/otherwise">
      <NameField
        place={stepPlace(node.id, ["otherwise"])}
        label="Otherwise"
        hint="Name of the branch that is taken if no other is."
        name={otherwise}
        whyNot={(text) => whyNotBranch(step, otherwise, text)}
        onRename={(to) => step.edit({ kind: "rename_branch", nodeId: node.id, branch: otherwise, to })}
        {...step.messagesAt("/otherwise")}
      />
      {node.question !== undefined && (
        <Button
          variant="quiet"
          icon={Trash2}
          onClick={() => {
            forget(stepPlace(node.id, ["otherwise"]));
            step.edit(
              { kind: "connect", from: { nodeId: node.id, branch: otherwise }, to: undefined },
              { kind: "set_field", nodeId: node.id, path: ["otherwise"], value: undefined },
            );
          }}
        >
          Remove otherwise
        </Button>
      )}
    </FieldPlace>
  );
}

function ConfidenceFields({ step }: { readonly step: StepContext<ConditionNode> }): ReactElement {
  const { confidence } = step.node;
  const { forget } = useTyping();
  if (confidence === undefined) {
    return (
      <Button
        icon={Plus}
        className="self-start"
        onClick={() => setField({ step, path: ["confidence"] }, { atLeast: 0.9, otherwise: "review" })}
      >
        Require a confidence
      </Button>
    );
  }
  return (
    <>
      <BoundNumber
        step={step}
        path={["confidence", "atLeast"]}
        label="At least"
        hint="From 0 to 1."
        isRequired
        isFraction
      />
      <BoundSelect
        step={step}
        path={["confidence", "otherwise"]}
        label="Below it"
        options={[
          { value: "review", label: "A person decides" },
          { value: "fail", label: "The step fails" },
        ]}
      />
      <Button
        icon={Trash2}
        variant="quiet"
        className="self-start"
        onClick={() => {
          forget(stepPlace(step.node.id, ["confidence"]));
          setField({ step, path: ["confidence"] }, undefined);
        }}
      >
        Require none
      </Button>
      {confidence.otherwise === "review" && <DeciderFields step={step} at={["review"]} />}
    </>
  );
}
