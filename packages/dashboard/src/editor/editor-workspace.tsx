import type { DocumentProblem, JsonObject } from "@procedo/contract";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo, useRef, useState, type ReactElement } from "react";
import type { Procedure } from "../api/models.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { cx } from "../ui/cx.ts";
import { Problem } from "../ui/problem.tsx";
import { useToast } from "../ui/toasts.tsx";
import { LeaveGuard } from "../values/leave-guard.tsx";
import type { StoredDraft } from "./draft/draft-state.ts";
import type { CopyOwner } from "./draft/kept-copies.ts";
import { useAdoptionNotice } from "./draft/use-adoption-notice.ts";
import { ProblemsPanel } from "./problems/problems-panel.tsx";
import { useProblems } from "./problems/use-problems.ts";
import { DiscardDialog } from "./publish/discard-dialog.tsx";
import { PublishDialog } from "./publish/publish-dialog.tsx";
import { TypingContext, type Typing } from "./typing/typing-context.ts";
import { unfinishedProblems } from "./typing/unfinished-problems.ts";
import { useEditorShortcuts } from "./use-editor-shortcuts.ts";
import { useEditor, type OpenedWork } from "./use-editor.ts";
import { ConflictView } from "./views/conflict-view.tsx";
import { DraftFacts } from "./views/draft-facts.tsx";
import { EditorActions } from "./views/editor-actions.tsx";
import { EditorViews } from "./views/editor-views.tsx";
import { viewNamed, viewOf, type EditorViewName } from "./views/view-names.ts";

const route = getRouteApi("/signed-in/$environment/procedures/$procedureId/edit");

interface EditorWorkspaceProps {
  readonly procedure: Procedure;
  readonly stored: StoredDraft;
  /** The work with which the editor begins. */
  readonly opened: OpenedWork;
  readonly owner: CopyOwner;
}

/** An open draft: its state and acts above, and its views below. */
export function EditorWorkspace({ procedure, stored, opened, owner }: EditorWorkspaceProps): ReactElement {
  const environment = useEnvironment();
  const navigate = route.useNavigate();
  const toast = useToast();
  const { view } = route.useSearch();
  const editor = useEditor(opened, stored, owner);
  const { draft, document, texts, unfinished, dispatch } = editor;
  const problems = useProblems(document, editor);
  const allProblems = useMemo(
    () => [...unfinishedProblems(unfinished, document), ...problems],
    [unfinished, document, problems],
  );
  const typing = useMemo(
    (): Typing => ({
      texts,
      set: (place, typed) => dispatch({ kind: "typed", place, typed }),
      forget: (place) => dispatch({ kind: "forget_texts", place }),
    }),
    [texts, dispatch],
  );
  const [dialog, setDialog] = useState<"publish" | "discard">();
  const [problem, setProblem] = useState<DocumentProblem>();
  const problemsPlace = useRef<HTMLElement>(null);
  const focusProblems = (): void => problemsPlace.current?.focus();
  useEditorShortcuts(editor, focusProblems);
  useAdoptionNotice(editor);

  const { procedureId } = procedure;
  const { sync } = draft;
  const conflict = sync.kind === "conflict" ? sync : undefined;
  const revision = sync.kind === "saved" ? draft.base.revision : undefined;
  const hasUnfinished = Object.keys(unfinished).length > 0;
  const kept = editor.isKept ? ", and kept on this device" : "";
  const show = (name: EditorViewName): void =>
    void navigate({ search: name === "flowchart" ? {} : { view: name }, replace: true });
  const change = (next: JsonObject, act?: string): void => dispatch({ kind: "change", document: next, act });
  return (
    <Page
      heading={document?.name || procedureId}
      subtitle={<DraftFacts procedure={procedure} editor={editor} hasUnfinished={hasUnfinished} />}
      actions={
        <EditorActions
          editor={editor}
          problemCount={allProblems.length}
          hasUnfinished={hasUnfinished}
          onProblems={focusProblems}
          onDiscard={() => setDialog("discard")}
          onPublish={() => setDialog("publish")}
        />
      }
    >
      {hasUnfinished && (
        <LeaveGuard title="Leave unfinished text?">
          Some text is not valid yet, so that it is not in the draft{kept}. The problems say where it is.
        </LeaveGuard>
      )}
      {sync.kind === "refused" && (
        <section aria-label="Not saved" className="flex flex-col gap-1">
          <Problem error={sync.error} />
          <p className="text-text-2">Your changes are not saved{kept}. The next change is sent again.</p>
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
      {/* Stays mounted during a conflict, with the step that is chosen. */}
      <div className={cx("flex min-w-0 flex-col gap-4", conflict !== undefined && "hidden")}>
        <TypingContext value={typing}>
          <EditorViews
            view={viewNamed(view)}
            draft={draft.mine}
            document={document}
            procedure={procedure}
            revision={revision}
            problems={problems}
            opened={problem}
            onChange={change}
            onEndAct={() => dispatch({ kind: "end_act" })}
          />
        </TypingContext>
        <ProblemsPanel
          document={document}
          problems={allProblems}
          onOpen={(one) => {
            setProblem({ ...one });
            show(viewOf(one));
          }}
          onDiscardText={(place) => typing.set(place, undefined)}
          place={problemsPlace}
        />
      </div>
      {dialog === "publish" && document !== undefined && (
        <PublishDialog
          procedure={procedure}
          document={document}
          revision={revision}
          problems={allProblems}
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
