import type { JsonObject } from "@procedo/contract";
import { beginHistory, endAct, recordChange, redo, undo, type History } from "./document/history.ts";
import { nextDraft, openDraft, type DraftEvent, type DraftState, type StoredDraft } from "./draft/draft-state.ts";

/** An open editor: the documents that can be undone, and the draft of the present one. */
export interface EditorState {
  readonly history: History<JsonObject>;
  /** Its `mine` is the history's present document. */
  readonly draft: DraftState;
}

export type EditorEvent =
  | { readonly kind: "change"; readonly document: JsonObject; readonly act?: string | undefined }
  | { readonly kind: "end_act" }
  | { readonly kind: "undo" }
  | { readonly kind: "redo" }
  | { readonly kind: "draft"; readonly event: Exclude<DraftEvent, { readonly kind: "edited" }> };

export function openEditor(stored: StoredDraft): EditorState {
  return editorOf(openDraft(stored));
}

/** An editor that goes on with a draft, whose beginning can be restored by undo. */
export function editorOf(draft: DraftState): EditorState {
  return { history: recordChange(beginHistory(draft.base.document), draft.mine), draft };
}

export function nextEditor(state: EditorState, event: EditorEvent): EditorState {
  const { history, draft } = state;
  switch (event.kind) {
    case "change":
      return withHistory(state, recordChange(history, event.document, event.act));
    case "end_act":
      return { history: endAct(history), draft };
    case "undo":
      return withHistory(state, undo(history));
    case "redo":
      return withHistory(state, redo(history));
    case "draft":
      return afterDraftEvent(state, event.event);
  }
}

function withHistory({ history: before, draft }: EditorState, history: History<JsonObject>): EditorState {
  if (history.present === before.present) return { history, draft };
  return { history, draft: nextDraft(draft, { kind: "edited", document: history.present }) };
}

/** Nothing is thrown away: the document that a choice replaces is the one before it in the history. */
function afterDraftEvent({ history, draft: before }: EditorState, event: DraftEvent): EditorState {
  const draft = nextDraft(before, event);
  if (event.kind === "keep_mine" && before.sync.kind === "conflict") {
    const theirs = recordChange(history, before.sync.theirs.document);
    return { history: recordChange(theirs, draft.mine), draft };
  }
  return { history: recordChange(history, draft.mine), draft };
}
