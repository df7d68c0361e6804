import type { DocumentProblem, JsonObject, ProcedureDocument } from "@procedo/contract";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useReducer, useRef, useState, type Dispatch } from "react";
import { hasCode } from "../api/api-error.ts";
import { randomId } from "../api/random-id.ts";
import { useEnvironment } from "../shell/environment.ts";
import { isUnsaved, keptDraft, type DraftEvent, type DraftState, type StoredDraft } from "./draft/draft-state.ts";
import { dropCopy, keepCopy, type CopyOwner, type KeptWork } from "./draft/kept-copies.ts";
import { holdCopy } from "./draft/open-editors.ts";
import { failureEvent } from "./draft/failure-event.ts";
import { editedProcedure, noDraft, problemsOf, saveDraft } from "./draft/read-draft.ts";
import { readDocument } from "./document/read-document.ts";
import { unfinishedTexts, type TypedTexts } from "./typing/typed-texts.ts";
import { editorOf, nextEditor, type EditorEvent, type EditorState } from "./editor-state.ts";

const saveAfterMs = 1_000;
const retryAfterMs = 3_000;

/** The problems that the service found in a document. */
export interface FoundProblems {
  readonly document: JsonObject;
  readonly problems: readonly DocumentProblem[];
}

/** The work with which an editor begins. */
export interface OpenedWork {
  readonly draft: DraftState;
  readonly texts: TypedTexts;
}

export interface Editor extends EditorState {
  /** `undefined` for a draft that is no procedure yet. */
  readonly document: ProcedureDocument | undefined;
  /** The texts that are not in the document. */
  readonly unfinished: TypedTexts;
  readonly dispatch: Dispatch<EditorEvent>;
  /** Whether this device keeps the unsaved draft. */
  readonly isKept: boolean;
  /** `undefined` until the service has checked a document. */
  readonly found: FoundProblems | undefined;
}

/** Runs an editor: saves after each pause, repeats a save without an answer, and keeps an unsaved draft on this device. */
export function useEditor(opened: OpenedWork, stored: StoredDraft, owner: CopyOwner): Editor {
  const [state, dispatch] = useReducer(nextEditor, opened, ({ draft, texts }) => editorOf(draft, texts));
  const { draft, texts } = state;
  const environment = useEnvironment();
  const found = useSaving(draft, owner.procedureId, dispatch);
  const document = useMemo(() => readDocument(draft.mine), [draft.mine]);
  const unfinished = useMemo(() => unfinishedTexts(texts, document), [texts, document]);
  const isKept = useKeptCopy(draft, unfinished, owner);
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  }, [draft]);

  useEffect(() => {
    dispatch({ kind: "draft", event: { kind: "read", stored } });
  }, [stored]);

  // A person who leaves the page within the pause has saved, too.
  useEffect(
    () => () => {
      const { mine, base, sync } = latest.current;
      if (sync.kind !== "edited") return;
      void saveDraft(environment, owner.procedureId, { document: mine, revision: base.revision }).catch(
        () => undefined,
      );
    },
    [environment, owner.procedureId],
  );
  return { ...state, document, unfinished, dispatch, isKept, found };
}

function useSaving(
  { mine, base, sync }: DraftState,
  procedureId: string,
  dispatch: Dispatch<EditorEvent>,
): FoundProblems | undefined {
  const environment = useEnvironment();
  const queryClient = useQueryClient();
  const [found, setFound] = useState<FoundProblems>();
  const { kind } = sync;
  useEffect(() => {
    if (kind !== "edited" && kind !== "offline") return undefined;
    const due = (): void => dispatch({ kind: "draft", event: { kind: "due" } });
    const timer = setTimeout(due, kind === "edited" ? saveAfterMs : retryAfterMs);
    window.addEventListener("online", due);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("online", due);
    };
    // Each change begins the pause anew.
  }, [kind, mine, dispatch]);

  const { revision } = base;
  useEffect(() => {
    let isOver = false;
    const tell = (event: Exclude<DraftEvent, { readonly kind: "edited" }>): void => {
      if (!isOver) dispatch({ kind: "draft", event });
    };
    if (sync.kind === "saving") {
      const { sent } = sync;
      saveDraft(environment, procedureId, { document: sent, revision }).then(
        (saved) => {
          tell({ kind: "saved", revision: saved.revision });
          if (!isOver) setFound({ document: sent, problems: saved.problems });
        },
        (error: unknown) => tell(failureEvent(error)),
      );
    }
    if (sync.kind === "comparing") {
      queryClient.fetchQuery({ ...editedProcedure(environment, procedureId), staleTime: 0 }).then(
        ({ stored }) => tell({ kind: "read", stored }),
        (error: unknown) => {
          if (hasCode(error, "procedure_not_found")) tell({ kind: "read", stored: noDraft(procedureId) });
          else tell(failureEvent(error));
        },
      );
    }
    return () => {
      isOver = true;
    };
  }, [sync, revision, environment, procedureId, queryClient, dispatch]);

  const isChecked = found?.document === mine;
  useEffect(() => {
    if (kind !== "saved" || isChecked) return undefined;
    let isOver = false;
    problemsOf(environment, procedureId, mine).then(
      (problems) => {
        if (!isOver) setFound({ document: mine, problems });
      },
      // The next save is answered with the problems.
      () => undefined,
    );
    return () => {
      isOver = true;
    };
  }, [kind, isChecked, mine, environment, procedureId]);
  return found;
}

/** Keeps the work on this device while the service may not have it. Returns whether it is kept. */
function useKeptCopy(draft: DraftState, texts: TypedTexts, { procedureId, person }: CopyOwner): boolean {
  const [id] = useState(randomId);
  const [isKept, setKept] = useState(true);
  useEffect(() => holdCopy(id), [id]);
  useEffect(() => {
    if (isUnsaved(draft) || Object.keys(texts).length > 0) {
      const work: KeptWork = { ...keptDraft(draft), texts };
      const hasRoom = keepCopy(localStorage, { procedureId, person }, id, work, Date.now());
      queueMicrotask(() => setKept(hasRoom));
    } else dropCopy(localStorage, procedureId, id);
  }, [draft, texts, procedureId, person, id]);
  return isKept;
}
