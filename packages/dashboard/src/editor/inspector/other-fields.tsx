/* The fields of the kinds of steps that have few of them. */
import type { EndNode, HumanReviewNode, ProcedureDocument } from "@procedo/contract";
import type { ReactElement } from "react";
import { TextArea, TextField } from "../../ui/field.tsx";
import type { DocumentEdit } from "../document/document-edit.ts";
import type { FieldMessages } from "../problems/shown-problems.ts";
import { stepNames } from "../views/place-words.ts";
import { BoundSelect, BoundText } from "./bound-fields.tsx";
import { BudgetFields } from "./budget-fields.tsx";
import { DeciderFields } from "./decider-fields.tsx";
import { FieldGroup } from "./field-group.tsx";
import { BoundJson, BoundTemplate } from "./json-field.tsx";
import type { StepContext } from "./step-context.ts";

/** The fields of a Human Review, apart from its title, which is the question. */
export function HumanReviewFields({ step }: { readonly step: StepContext<HumanReviewNode> }): ReactElement {
  const { node, document } = step;
  const names = stepNames(document);
  const calls = document.nodes.filter(({ kind }) => kind === "tool_call");
  return (
    <>
      <BoundSelect
        step={step}
        path={["covers"]}
        label="Covers"
        hint="The call is shown to the reviewers, and sent exactly as they approved it."
        options={[
          { value: "", label: "No call" },
          ...calls.map(({ id }) => ({ value: id, label: names.get(id) ?? id })),
        ]}
      />
      <DeciderFields step={step} at={[]} />
      <BoundTemplate
        step={step}
        path={["data"]}
        label="Data"
        hint="Data for the reviewers: a template as JSON, with expressions in {{ }}."
      />
      <BoundText
        step={step}
        path={["expiresAfter"]}
        label="Expires after"
        hint="The run fails then. A duration such as P7D for 7 days, or PT12H for 12 hours."
        isCode
      />
      <FieldGroup title="Outputs" isOpen={node.outputs !== undefined}>
        <BoundJson
          step={step}
          path={["outputs"]}
          label="Schema of the outputs"
          hint="A JSON Schema of the values that reviewers enter with their approval."
        />
      </FieldGroup>
    </>
  );
}

export function EndFields({ step }: { readonly step: StepContext<EndNode> }): ReactElement {
  return (
    <BoundTemplate
      step={step}
      path={["output"]}
      label="Output"
      hint="The output of the run: a template as JSON, with expressions in {{ }}."
    />
  );
}

/** The members of the procedure as a whole. The start shows them, because a run begins with it. */
export function ProcedureFields({
  document,
  edit,
  endAct,
  messagesAt,
}: {
  readonly document: ProcedureDocument;
  readonly edit: (...edits: readonly DocumentEdit[]) => void;
  readonly endAct: () => void;
  readonly messagesAt: (pointer: string) => FieldMessages;
}): ReactElement {
  const set = (name: "name" | "description" | "reference", text: string): void =>
    edit({ kind: "set_member", path: [name], value: text === "" && name !== "name" ? undefined : text });
  return (
    <fieldset className="flex flex-col gap-3 border-t border-hairline pt-3">
      <legend className="sr-only">Procedure</legend>
      <p aria-hidden className="font-medium text-text-2">
        Procedure
      </p>
      <TextField
        label="Name"
        maxLength={200}
        value={document.name}
        onChange={({ target }) => set("name", target.value)}
        onBlur={endAct}
        {...messagesAt("/name")}
      />
      <TextArea
        label="Description"
        note="Optional"
        maxLength={5_000}
        value={document.description ?? ""}
        onChange={({ target }) => set("description", target.value)}
        onBlur={endAct}
        {...messagesAt("/description")}
      />
      <TextField
        label="Reference of a run"
        note="Optional"
        hint="Finds runs in lists: a text with expressions, such as {{ input.invoiceId }}."
        maxLength={500}
        value={document.reference ?? ""}
        onChange={({ target }) => set("reference", target.value)}
        onBlur={endAct}
        {...messagesAt("/reference")}
      />
      <BudgetFields document={document} edit={edit} endAct={endAct} messagesAt={messagesAt} />
    </fieldset>
  );
}
