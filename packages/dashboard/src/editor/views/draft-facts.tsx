import type { ReactElement } from "react";
import type { Environment, Procedure } from "../../api/models.ts";
import { saveWord } from "../draft/save-word.ts";
import type { Editor } from "../use-editor.ts";
import { BackToProcedure } from "./back-to-procedure.tsx";

/** The state of the draft, below its name. */
export function DraftFacts({
  procedure,
  editor,
  hasUnfinished,
}: {
  readonly procedure: Procedure;
  readonly editor: Editor;
  readonly hasUnfinished: boolean;
}): ReactElement {
  return (
    <span className="flex flex-wrap items-center gap-x-3">
      <BackToProcedure procedureId={procedure.procedureId} />
      <SaveState editor={editor} hasUnfinished={hasUnfinished} />
      <Defaults procedure={procedure} />
    </span>
  );
}

function SaveState({
  editor: {
    draft: { sync },
    isKept,
  },
  hasUnfinished,
}: {
  readonly editor: Editor;
  readonly hasUnfinished: boolean;
}): ReactElement {
  const word = saveWord(sync, isKept, hasUnfinished);
  const isUnsaved = word.startsWith("Not saved") || (sync.kind === "saved" && hasUnfinished);
  return (
    <span role="status" aria-label="Draft" className={isUnsaved ? "font-medium text-review" : "text-text-2"}>
      {word}
    </span>
  );
}

/** The versions that new runs execute, beside the draft, which none of them does. */
function Defaults({ procedure: { defaults } }: { readonly procedure: Procedure }): ReactElement {
  const version = (environment: Environment): string => {
    const name = defaults[environment];
    return name === undefined ? "none" : `version ${name}`;
  };
  return (
    <span className="text-text-3 wrap-anywhere">
      Runs execute in sandbox: {version("sandbox")}, in live: {version("live")}
    </span>
  );
}
