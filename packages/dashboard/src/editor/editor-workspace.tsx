import type { DocumentProblem, JsonObject, ProcedureDocument } from "@procedo/contract";
import { getRouteApi } from "@tanstack/react-router";
import { ListChecks, Redo2, Trash2, Undo2, Upload } from "lucide-react";
import { useDeferredValue, useEffect, useMemo, useRef, useState, type ReactElement } from "react";
import type { Environment, Procedure } from "../api/models.ts";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { useShortcuts, type Shortcut } from "../shell/shortcuts.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { Problem } from "../ui/problem.tsx";
import { useToast } from "../ui/toasts.tsx";
import { readDocument } from "./document/read-document.ts";
import type { DraftState, StoredDraft } from "./draft/draft-state.ts";
import type { CopyOwner } from "./draft/kept-copies.ts";
import { saveWord } from "./draft/save-word.ts";
import { ProblemsPanel } from "./problems/problems-panel.tsx";
import { shownProblems } from "./problems/shown-problems.ts";
import { DiscardDialog } from "./publish/discard-dialog.tsx";
import { PublishDialog } from "./publish/publish-dialog.tsx";
import { useEditor, type Editor } from "./use-editor.ts";
import { BackToProcedure } from "./views/back-to-procedure.tsx";
import { ConflictView } from "./views/conflict-view.tsx";
import { EditorViews, type EditorViewName } from "./views/editor-views.tsx";

const route = getRouteApi("/signed-in/$environment/procedures/$procedureId/edit");

interface EditorWorkspaceProps {
  readonly procedure: Procedure;
  readonly stored: StoredDraft;
  /** The draft with which the work begins. */
  readonly opened: DraftState;
  readonly owner: CopyOwner;
}

/** An open draft: its state and acts above, and its views below. */
export function EditorWorkspace({ procedure, stored, opened, owner }: EditorWorkspaceProps): ReactElement {
  const environment = useEnvironment();
  const navigate = route.useNavigate();
  const toast = useToast();
  const { view } = route.useSearch();
  const editor = useEditor(opened, stored, owner);
  const { draft, history, dispatch } = editor;
  const document = useMemo(() => readDocument(draft.mine), [draft.mine]);
  const problems = useProblems(document, editor);
  const [dialog, setDialog] = useState<"publish" | "discard">();
  const [problem, setProblem] = useState<DocumentProblem>();
  const problemsPlace = useRef<HTMLElement>(null);
  useHistoryShortcuts(editor, () => problemsPlace.current?.focus());
  useAdoptionNotice(draft, toast);

  const { procedureId } = procedure;
  const { sync } = draft;
  const conflict = sync.kind === "conflict" ? sync : undefined;
  const isSaved = sync.kind === "saved";
  const show = (name: EditorViewName): void =>
    void navigate({ search: name === "flowchart" ? {} : { view: name }, replace: true });
  const change = (next: JsonObject, act?: string): void => dispatch({ kind: "change", document: next, act });
  return (
    <Page
      heading={document?.name || procedureId}
      subtitle={
        <span className="flex flex-wrap items-center gap-x-3">
          <BackToProcedure procedureId={procedureId} />
          <SaveState editor={editor} />
          <Defaults procedure={procedure} />
        </span>
      }
      actions={
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
          <Button icon={ListChecks} aria-keyshortcuts="p" onClick={() => problemsPlace.current?.focus()}>
            {`Problems, ${problems.length}`}
          </Button>
          <Button
            icon={Trash2}
            disabled={!isSaved || draft.base.revision === 0}
            title={draft.base.revision === 0 ? "There is no draft yet." : undefined}
            onClick={() => setDialog("discard")}
          >
            Discard draft
          </Button>
          <Button
            variant="primary"
            icon={Upload}
            disabled={document === undefined || conflict !== undefined}
            onClick={() => setDialog("publish")}
          >
            {writeLabel("Publish", environment)}
          </Button>
        </>
      }
    >
      {sync.kind === "refused" && (
        <section aria-label="Not saved" className="flex flex-col gap-1">
          <Problem error={sync.error} />
          <p className="text-text-2">
            Your changes are not saved{editor.isKept ? ", and kept on this device" : ""}. The next change is sent again.
          </p>
        </section>
      )}
      {conflict !== undefined && (
        <ConflictView
          base={draft.base.document}
          mine={draft.mine}
          theirs={conflict.theirs}
          onKeepTheirs={() => dispatch({ kind: "draft", event: { kind: "keep_theirs" } })}
          onKeepMine={() => dispatch({ kind: "draft", event: { kind: "keep_mine" } })}
        />
      )}
      {/* Stays mounted during a conflict, with texts that are no values yet. */}
      <div className={cx("flex min-w-0 flex-col gap-4", conflict !== undefined && "hidden")}>
        <EditorViews
          view={viewNamed(view)}
          draft={draft.mine}
          document={document}
          procedure={procedure}
          revision={isSaved ? draft.base.revision : undefined}
          problems={problems}
          opened={problem}
          onChange={change}
          onEndAct={() => dispatch({ kind: "end_act" })}
        />
        <ProblemsPanel
          document={document}
          problems={problems}
          onOpen={(one) => {
            setProblem({ ...one });
            show(viewOf(one));
          }}
          place={problemsPlace}
        />
      </div>
      {dialog === "publish" && document !== undefined && (
        <PublishDialog
          procedure={procedure}
          document={document}
          revision={isSaved ? draft.base.revision : undefined}
          problems={problems}
          onPublished={(version) => {
            toast(`Version ${version} is published.`);
            void navigate({ to: "/$environment/procedures/$procedureId", params: { environment, procedureId } });
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === "discard" && (
        <DiscardDialog
          procedure={procedure}
          revision={draft.base.revision}
          onDiscarded={() => {
            toast("The draft is discarded.");
            void (procedure.versions.length === 0
              ? navigate({ to: "/$environment/procedures", params: { environment } })
              : navigate({ to: "/$environment/procedures/$procedureId", params: { environment, procedureId } }));
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
    </Page>
  );
}

function viewNamed(name: string | undefined): EditorViewName {
  return name === "input" || name === "json" || name === "try" ? name : "flowchart";
}

/** The view that shows the place of a problem. */
function viewOf({ path, nodeId }: DocumentProblem): EditorViewName {
  if (nodeId !== undefined || /^\/(name|description|reference)\b/.test(path)) return "flowchart";
  return path.startsWith("/input") ? "input" : path === "" ? "flowchart" : "json";
}

/** The problems of the document, which follow the typing with a little delay. */
function useProblems(document: ProcedureDocument | undefined, { found, draft }: Editor): readonly DocumentProblem[] {
  const settled = useDeferredValue(document);
  return useMemo(() => {
    if (settled !== undefined) return shownProblems(settled, found);
    return found?.document === draft.mine ? found.problems : [];
  }, [settled, found, draft.mine]);
}

const tones = { saved: "text-text-2", waiting: "text-text-2", unsaved: "font-medium text-review" } as const;

function SaveState({ editor: { draft, isKept } }: { readonly editor: Editor }): ReactElement {
  const word = saveWord(draft.sync, isKept);
  const tone = draft.sync.kind === "saved" ? "saved" : word.startsWith("Not saved") ? "unsaved" : "waiting";
  return (
    <span role="status" aria-label="Draft" className={tones[tone]}>
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

function useHistoryShortcuts({ dispatch }: Editor, onProblems: () => void): void {
  const latest = useRef(onProblems);
  useEffect(() => {
    latest.current = onProblems;
  }, [onProblems]);
  const shortcuts = useMemo(
    (): readonly Shortcut[] => [
      { keys: "Ctrl+Z", does: "Undo", run: () => dispatch({ kind: "undo" }) },
      { keys: "Ctrl+Y", does: "Redo", run: () => dispatch({ kind: "redo" }) },
      { keys: "Ctrl+Shift+Z", does: "Redo", run: () => dispatch({ kind: "redo" }) },
      { keys: "Ctrl+S", does: "Save now", run: () => dispatch({ kind: "draft", event: { kind: "due" } }) },
      { keys: "p", does: "Go to the problems", run: () => latest.current() },
    ],
    [dispatch],
  );
  useShortcuts(shortcuts);
}

/** Says that the page now shows a draft that someone else saved. */
function useAdoptionNotice({ base, mine }: DraftState, toast: (text: string) => void): void {
  const seen = useRef(base);
  useEffect(() => {
    const isAdopted = seen.current !== base && mine === base.document && base.by !== undefined;
    if (isAdopted) toast(`${base.by} saved this draft. You see revision ${base.revision}.`);
    seen.current = base;
  }, [base, mine, toast]);
}
