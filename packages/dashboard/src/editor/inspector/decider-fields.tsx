import type { ProcedureNode } from "@procedo/contract";
import type { ReactElement } from "react";
import { CheckboxField } from "../../ui/field.tsx";
import { stepTitle } from "../../flowchart/step-title.ts";
import { BoundCheckbox, BoundNames, BoundNumber, FieldPlace } from "./bound-fields.tsx";
import { pointerOf, setField, valueAt, type FieldPath, type StepContext } from "./step-context.ts";

/** The people who decide, and how many of them have to approve. `at` is the place of these fields in the step. */
export function DeciderFields({
  step,
  at,
}: {
  readonly step: StepContext;
  readonly at: readonly string[];
}): ReactElement {
  const path = (...parts: readonly string[]): FieldPath => [...at, ...parts] as unknown as FieldPath;
  return (
    <>
      <BoundNames
        step={step}
        path={path("reviewers", "roles")}
        label="Roles"
        hint="Roles or groups that may decide, with commas between them: treasury, controlling. Without roles and people, every reviewer may."
      />
      <BoundNames
        step={step}
        path={path("reviewers", "people")}
        label="People"
        hint="E-mail addresses of people who may decide."
      />
      <BoundNumber
        step={step}
        path={path("approvals")}
        label="Approvals"
        hint="Different people who have to approve. Without a number, 1."
      />
      <BoundCheckbox step={step} path={path("excludeStarter")} label="Exclude the person who started the run" />
      <EarlierApprovers step={step} path={path("excludeApproversOf")} />
    </>
  );
}

function EarlierApprovers({
  step,
  path,
}: {
  readonly step: StepContext;
  readonly path: FieldPath;
}): ReactElement | null {
  const value = valueAt({ step, path });
  const chosen = Array.isArray(value) ? value.filter((id) => typeof id === "string") : [];
  const others = step.document.nodes.filter(({ id, kind }) => kind === "human_review" && id !== step.node.id);
  const ids = [...new Set([...others.map(({ id }) => id), ...chosen])];
  if (ids.length === 0) return null;
  const titleOf = (id: string): string => {
    const node: ProcedureNode | undefined = others.find((one) => one.id === id);
    return node === undefined ? id : stepTitle(node);
  };
  return (
    <FieldPlace pointer={pointerOf(path)}>
      <fieldset className="flex flex-col gap-1">
        <legend className="pb-1 font-medium">Exclude people who approved</legend>
        {ids.map((id) => (
          <CheckboxField
            key={id}
            label={titleOf(id)}
            checked={chosen.includes(id)}
            onChange={({ target }) => {
              const next = target.checked ? [...chosen, id] : chosen.filter((one) => one !== id);
              setField({ step, path }, next.length === 0 ? undefined : next);
            }}
          />
        ))}
      </fieldset>
    </FieldPlace>
  );
}
