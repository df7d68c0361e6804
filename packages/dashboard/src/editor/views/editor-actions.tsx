import { ListChecks, Redo2, Trash2, Undo2, Upload } from "lucide-react";
import type { ReactElement } from "react";
import { useEnvironment, writeLabel } from "../../shell/environment.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import type { Editor } from "../use-editor.ts";

/** The acts on the draft as a whole. */
export function EditorActions({
  editor: { draft, document, history, dispatch },
  problemCount,
  hasUnfinished,
  onProblems,
  onDiscard,
  onPublish,
}: {
  readonly editor: Editor;
  readonly problemCount: number;
  readonly hasUnfinished: boolean;
  readonly onProblems: () => void;
  readonly onDiscard: () => void;
  readonly onPublish: () => void;
}): ReactElement {
  const environment = useEnvironment();
  const { sync, base } = draft;
  const whyNotPublish =
    document === undefined
      ? "The draft is not a complete procedure yet."
      : sync.kind === "conflict"
        ? "Choose first which draft to go on with."
        : undefined;
  const whyNotDiscard =
    base.revision === 0
      ? "There is no draft yet."
      : hasUnfinished
        ? "Some text is not valid yet. Finish or discard it first."
        : undefined;
  return (
    <>
      <IconButton
        icon={Undo2}
        label="Undo"
        aria-keyshortcuts="Control+Z"
        disabled={history.past.length === 0}
        className="disabled:opacity-40"
        onClick={() => dispatch({ kind: "undo" })}
      />
      <IconButton
        icon={Redo2}
        label="Redo"
        aria-keyshortcuts="Control+Y"
        disabled={history.future.length === 0}
        className="disabled:opacity-40"
        onClick={() => dispatch({ kind: "redo" })}
      />
      <Button icon={ListChecks} aria-keyshortcuts="p" onClick={onProblems}>
        {`Problems, ${problemCount}`}
      </Button>
      <Button
        icon={Trash2}
        disabled={sync.kind !== "saved" || whyNotDiscard !== undefined}
        title={whyNotDiscard}
        onClick={onDiscard}
      >
        Discard draft
      </Button>
      <Button
        variant="primary"
        icon={Upload}
        disabled={whyNotPublish !== undefined}
        title={whyNotPublish}
        onClick={onPublish}
      >
        {writeLabel("Publish", environment)}
      </Button>
    </>
  );
}
