import type { ProcedureDocument, ProcedureNode } from "@procedo/contract";
import { useState, type ReactElement } from "react";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField, type SelectOption } from "../../ui/field.tsx";
import type { DocumentEdit } from "../document/document-edit.ts";
import { isTarget } from "../document/edit-document.ts";
import { targetOf, waysOf, type Place } from "../document/ways.ts";
import { stepTitle } from "../../flowchart/step-title.ts";
import { placeOptions, placeOfValue, placeValue, stepNames, wayWord } from "../views/place-words.ts";

const nowhere = "";

/** Asks where a way out of a step leads. */
export function ConnectDialog({
  document,
  node,
  from,
  onConnect,
  onClose,
}: {
  readonly document: ProcedureDocument;
  readonly node: ProcedureNode;
  readonly from: Place;
  readonly onConnect: (edit: Extract<DocumentEdit, { readonly kind: "connect" }>) => void;
  readonly onClose: () => void;
}): ReactElement {
  const [branch, setBranch] = useState(from.branch ?? "");
  const place: Place = { nodeId: node.id, branch: branch === "" ? undefined : branch };
  const [chosen, setChosen] = useState<string>();
  const names = stepNames(document);
  const targets = document.nodes
    .filter(isTarget)
    .map(({ id }): SelectOption => ({ value: id, label: names.get(id) ?? id }));
  const to = chosen ?? targetOf(document, place) ?? nowhere;
  return (
    <Dialog title="Connect" onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          onConnect({ kind: "connect", from: place, to: to === nowhere ? undefined : to });
        }}
      >
        <p>
          Where <strong className="wrap-anywhere">{stepTitle(node)}</strong> leads.
        </p>
        <SelectField
          label="Branch"
          options={waysOf(node).map((way) => ({
            value: way.branch ?? "",
            label: node.kind === "condition" ? (way.branch ?? "") : wayWord(way.branch),
          }))}
          value={branch}
          onChange={({ target }) => {
            setBranch(target.value);
            setChosen(undefined);
          }}
        />
        <SelectField
          label="To"
          options={[{ value: nowhere, label: "Nowhere" }, ...targets]}
          value={to}
          onChange={({ target }) => setChosen(target.value)}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Back</Button>
          <Button type="submit" variant="primary">
            Connect
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Asks behind which place a step is moved. */
export function MoveDialog({
  document,
  node,
  onMove,
  onClose,
}: {
  readonly document: ProcedureDocument;
  readonly node: ProcedureNode;
  readonly onMove: (edit: Extract<DocumentEdit, { readonly kind: "move_step" }>) => void;
  readonly onClose: () => void;
}): ReactElement {
  const places = placeOptions(document).filter(({ value }) => placeOfValue(value).nodeId !== node.id);
  const present = document.edges.find(({ to }) => to === node.id);
  const before = present === undefined ? undefined : placeValue({ nodeId: present.from, branch: present.branch });
  const [place, setPlace] = useState(before ?? places[0]?.value ?? "");
  return (
    <Dialog title="Move step" onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (place !== "") onMove({ kind: "move_step", nodeId: node.id, after: placeOfValue(place) });
        }}
      >
        <p>
          The steps around <strong className="wrap-anywhere">{stepTitle(node)}</strong> are connected with each other.
        </p>
        <SelectField label="After" options={places} value={place} onChange={({ target }) => setPlace(target.value)} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Back</Button>
          <Button type="submit" variant="primary">
            Move
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
