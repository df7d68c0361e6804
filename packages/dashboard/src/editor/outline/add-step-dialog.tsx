import type { ProcedureDocument } from "@procedo/contract";
import { useState, type ReactElement } from "react";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import type { AddedKind, DocumentEdit } from "../document/document-edit.ts";
import { freeId } from "../document/node-ids.ts";
import { targetOf, type Place } from "../document/ways.ts";
import { placeOfValue, placeOptions, placeValue, stepNames } from "../views/place-words.ts";

const kinds: readonly { readonly value: AddedKind; readonly label: string; readonly hint: string }[] = [
  { value: "tool_call", label: "Tool Call", hint: "Calls an action of a connection." },
  { value: "condition", label: "Condition", hint: "Takes one of several branches." },
  { value: "human_review", label: "Human Review", hint: "Asks people, and waits for their decision." },
  { value: "end", label: "End", hint: "Completes the run." },
];

/** Asks which step to add, and behind which place. */
export function AddStepDialog({
  document,
  after,
  onAdd,
  onClose,
}: {
  readonly document: ProcedureDocument;
  readonly after: Place | undefined;
  readonly onAdd: (edit: Extract<DocumentEdit, { readonly kind: "add_step" }>) => void;
  readonly onClose: () => void;
}): ReactElement {
  const places = placeOptions(document);
  const [step, setStep] = useState<AddedKind>("tool_call");
  const [title, setTitle] = useState("");
  const [place, setPlace] = useState(after === undefined ? (places[0]?.value ?? "") : placeValue(after));
  const kind = kinds.find(({ value }) => value === step);
  const named = title.trim() === "" ? (kind?.label ?? "") : title.trim();
  const next = place === "" ? undefined : targetOf(document, placeOfValue(place));
  const nextName = next === undefined ? undefined : stepNames(document).get(next);
  return (
    <Dialog title="Add step" onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (place === "") return;
          const nodeId = freeId(document, named);
          onAdd({ kind: "add_step", step, nodeId, title: named, after: placeOfValue(place) });
        }}
      >
        <SelectField
          label="Step"
          hint={kind?.hint}
          options={kinds}
          value={step}
          onChange={({ target }) => setStep(target.value as AddedKind)}
        />
        <TextField
          label="Title"
          hint="The purpose of the step, such as “Pay the invoice”."
          maxLength={200}
          autoComplete="off"
          value={title}
          onChange={({ target }) => setTitle(target.value)}
        />
        <SelectField
          label="After"
          options={places}
          value={place}
          onChange={({ target }) => setPlace(target.value)}
          hint={
            nextName === undefined
              ? undefined
              : step === "end"
                ? `The way no longer leads to ${nextName}.`
                : `${nextName} comes after the new step.`
          }
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Back</Button>
          <Button type="submit" variant="primary" disabled={place === ""}>
            Add
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
