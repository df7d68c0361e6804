import type { DocumentProblem, JsonObject } from "@procedo/contract";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useReducer, useRef, useState, type Dispatch } from "react";
import { ApiError, hasCode, isRetryable } from "../api/api-error.ts";
import { randomId } from "../api/random-id.ts";
import { useEnvironment } from "../shell/environment.ts";
import { isUnsaved, keptDraft, type DraftEvent, type DraftState, type StoredDraft } from "./draft/draft-state.ts";
import { dropCopy, holdCopy, keepCopy, type CopyOwner } from "./draft/kept-copies.ts";
import { editedProcedure, problemsOf, saveDraft } from "./draft/read-draft.ts";
import { newDocument } from "../values/new-document.ts";
import { editorOf, nextEditor, type EditorEvent, type EditorState } from "./editor-state.ts";

const saveAfterMs = 1_000;
const retryAfterMs = 3_000;

/** The problems that the service found in a document. */
export interface FoundProblems {
  readonly document: JsonObject;
  readonly problems: readonly DocumentProblem[];
}

export interface Editor extends EditorState {
  readonly dispatch: Dispatch<EditorEvent>;
  /** Whether this device keeps the unsaved draft. */
  readonly isKept: boolean;
  /** `undefined` until the service has checked a document. */
  readonly found: FoundProblems | undefined;
}

/** Runs an editor: saves after each pause, repeats a save without an answer, and keeps an unsaved draft on this device. */
export function useEditor(opened: DraftState, stored: StoredDraft, owner: CopyOwner): Editor {
  const [state, dispatch] = useReducer(nextEditor, opened, editorOf);
  const { draft } = state;
  const environment = useEnvironment();
  const found = useSaving(draft, owner.procedureId, dispatch);
  const isKept = useKeptCopy(draft, owner);
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
  return { ...state, dispatch, isKept, found };
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
        (error: unknown) => tell(eventOf(error)),
      );
    }
    if (sync.kind === "comparing") {
      queryClient.fetchQuery({ ...editedProcedure(environment, procedureId), staleTime: 0 }).then(
        ({ stored }) => tell({ kind: "read", stored }),
        (error: unknown) => {
          // The draft was discarded, and there was no version: the next save begins it anew.
          if (hasCode(error, "procedure_not_found")) tell({ kind: "read", stored: nothing(procedureId) });
          else tell(eventOf(error));
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

function eventOf(error: unknown): Exclude<DraftEvent, { readonly kind: "edited" }> {
  if (hasCode(error, "revision_conflict")) return { kind: "outdated" };
  const mayHaveArrived = isRetryable(error) || (error instanceof ApiError && (error.status ?? 0) >= 500);
  return mayHaveArrived ? { kind: "unanswered" } : { kind: "refused", error };
}

function nothing(procedureId: string): StoredDraft {
  return { revision: 0, document: newDocument(procedureId, procedureId) as unknown as JsonObject };
}

/** Keeps the draft on this device while the service may not have it. Returns whether it is kept. */
function useKeptCopy(draft: DraftState, { procedureId, person }: CopyOwner): boolean {
  const [id] = useState(randomId);
  const [isKept, setKept] = useState(true);
  useEffect(() => holdCopy(id), [id]);
  useEffect(() => {
    if (isUnsaved(draft)) {
      const hasRoom = keepCopy(localStorage, { procedureId, person }, id, keptDraft(draft), Date.now());
      queueMicrotask(() => setKept(hasRoom));
    } else dropCopy(localStorage, procedureId, id);
  }, [draft, procedureId, person, id]);
  return isKept;
}
