import type { DocumentProblem, JsonObject, ProcedureDocument } from "@procedo/contract";
import { Link } from "@tanstack/react-router";
import { useState, type ReactElement } from "react";
import type { Procedure } from "../../api/models.ts";
import { useEnvironment } from "../../shell/environment.ts";
import { Alert } from "../../ui/problem.tsx";
import type { DocumentEdit } from "../document/document-edit.ts";
import { actOf } from "../document/document-edit.ts";
import { editDocument } from "../document/edit-document.ts";
import { TryView } from "../trying/try-view.tsx";
import { FlowchartView } from "./flowchart-view.tsx";
import { InputView } from "./input-view.tsx";
import { JsonDocument } from "./json-view.tsx";
import type { EditorViewName } from "./view-names.ts";

interface EditorViewsProps {
  readonly view: EditorViewName;
  readonly draft: JsonObject;
  /** `undefined` for a draft of another shape, which is shown as JSON only. */
  readonly document: ProcedureDocument | undefined;
  readonly procedure: Procedure;
  /** The saved revision; `undefined` while the draft is not saved. */
  readonly revision: number | undefined;
  readonly problems: readonly DocumentProblem[];
  /** The problem to whose field the person wants to go. */
  readonly opened: DocumentProblem | undefined;
  readonly onChange: (draft: JsonObject, act?: string) => void;
  readonly onEndAct: () => void;
}

const names: readonly (readonly [EditorViewName, string])[] = [
  ["flowchart", "Flowchart"],
  ["input", "Input schema"],
  ["json", "JSON"],
  ["try", "Try in sandbox"],
];

/** The views of one draft. Each change in one of them is at once in the others. */
export function EditorViews(props: EditorViewsProps): ReactElement {
  const { view, draft, document, procedure, revision, problems, opened, onChange, onEndAct } = props;
  const { procedureId } = procedure;
  const shown = document === undefined ? "json" : view;
  // Stays mounted, with the input that was typed.
  const [hasTried, setTried] = useState(false);
  if (shown === "try" && !hasTried) setTried(true);
  const edit = (...edits: readonly DocumentEdit[]): ProcedureDocument | undefined => {
    const [first] = edits;
    if (document === undefined || first === undefined) return document;
    const next = edits.reduce(editDocument, document);
    if (next !== document) onChange(next as unknown as JsonObject, edits.length === 1 ? actOf(first) : undefined);
    return next;
  };
  return (
    <>
      {document !== undefined && <Tabs procedureId={procedureId} />}
      {document === undefined && (
        <Alert tone="review">
          This draft cannot be shown as a flowchart, because it is not a complete procedure. The problems below say how
          to correct it.
        </Alert>
      )}
      {document !== undefined && (
        <div className={shown === "flowchart" ? "contents" : "hidden"}>
          <FlowchartView
            document={document}
            problems={problems}
            opened={opened}
            isShown={shown === "flowchart"}
            edit={edit}
            onEndAct={onEndAct}
          />
        </div>
      )}
      {document !== undefined && shown === "input" && (
        <InputView document={document} problems={problems} edit={edit} onEndAct={onEndAct} />
      )}
      {document !== undefined && hasTried && (
        <div className={shown === "try" ? "contents" : "hidden"}>
          <TryView procedure={procedure} document={document} revision={revision} problems={problems} />
        </div>
      )}
      {shown === "json" && (
        <JsonDocument
          draft={draft}
          procedureId={procedureId}
          problems={problems}
          opened={opened}
          onChange={(next) => onChange(next, "json")}
          onEnd={onEndAct}
        />
      )}
    </>
  );
}

const tabClass =
  "border-b-2 border-transparent px-1 py-1.5 font-medium whitespace-nowrap text-text-2 no-underline hover:text-text " +
  "aria-[current=page]:border-accent aria-[current=page]:text-text pointer-coarse:py-3";

function Tabs({ procedureId }: { readonly procedureId: string }): ReactElement {
  const environment = useEnvironment();
  return (
    <nav aria-label="Editor views" className="flex gap-4 overflow-x-auto border-b border-hairline">
      {names.map(([name, label]) => (
        <Link
          key={name}
          to="/$environment/procedures/$procedureId/edit"
          params={{ environment, procedureId }}
          search={name === "flowchart" ? {} : { view: name }}
          replace
          className={tabClass}
          activeOptions={{ exact: true }}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
