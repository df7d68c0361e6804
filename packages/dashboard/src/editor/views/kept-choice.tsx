import { useState, type ReactElement } from "react";
import { Button } from "../../ui/button.tsx";
import { ChangeDialog } from "../../ui/change-dialog.tsx";
import { TextArea } from "../../ui/field.tsx";
import { Moment } from "../../values/moment.tsx";
import { saveFile } from "../../values/save-file.ts";
import { readDocument } from "../document/read-document.ts";
import type { KeptCopy } from "../draft/kept-copies.ts";
import { unfinishedProblems } from "../typing/unfinished-problems.ts";
import { problemPlaceWords } from "../problems/problem-place.ts";
import { DraftChanges } from "./draft-changes.tsx";

/** Work of an editor that ended before it was saved, which this device kept. */
export function KeptChoice({
  copy,
  procedureId,
  onRestore,
  onDiscard,
}: {
  readonly copy: KeptCopy;
  readonly procedureId: string;
  readonly onRestore: () => void;
  readonly onDiscard: () => void;
}): ReactElement {
  const [isText, setText] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const json = JSON.stringify(copy.mine, undefined, 2);
  return (
    <section
      aria-label="Unsaved changes"
      className="flex flex-col gap-3 rounded-panel border border-hairline bg-surface p-4"
    >
      <h2 className="text-section font-semibold">This device kept changes that were not saved</h2>
      <p className="max-w-prose text-text-2">
        You made them until <Moment at={new Date(copy.keptAtMs).toISOString()} />, and the page ended before the service
        had them. If someone else has saved since, you are shown both.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={onRestore}>
          Restore my changes
        </Button>
        <Button onClick={() => setAsking(true)}>Discard them</Button>
        <Button aria-expanded={isText} onClick={() => setText(!isText)}>
          Open mine as JSON
        </Button>
        <Button onClick={() => saveFile(`${procedureId}.draft.json`, json)}>Download as JSON</Button>
      </div>
      {isText && <TextArea label="My draft as JSON" isCode readOnly rows={16} value={json} />}
      <UnfinishedTexts copy={copy} />
      <DraftChanges before={copy.base.document} after={copy.mine} />
      {isAsking && (
        <ChangeDialog
          title="Discard your changes?"
          label="Discard my changes"
          busyLabel="Discarding …"
          variant="danger"
          change={{ isPending: false, error: null }}
          onChange={onDiscard}
          onClose={() => setAsking(false)}
        >
          <p>
            Only this device has them, and they cannot be brought back. The draft of the service stays as it is. To keep
            them elsewhere, go back and download them as JSON.
          </p>
        </ChangeDialog>
      )}
    </section>
  );
}

/** The texts that are not in the document, because they were not valid yet. */
function UnfinishedTexts({ copy: { mine, texts } }: { readonly copy: KeptCopy }): ReactElement | null {
  const document = readDocument(mine);
  const unfinished = unfinishedProblems(texts, document);
  if (unfinished.length === 0) return null;
  return (
    <section aria-label="Unfinished texts" className="flex flex-col gap-2">
      <h3 className="font-semibold">Text that was not valid yet</h3>
      {unfinished.map((problem) => (
        <TextArea
          key={problem.place}
          label={problemPlaceWords(document, problem)}
          isCode
          readOnly
          rows={4}
          value={texts[problem.place]?.text ?? ""}
        />
      ))}
    </section>
  );
}
