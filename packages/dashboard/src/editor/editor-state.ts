import type { JsonObject } from "@procedo/contract";
import { beginHistory, endAct, recordChange, redo, undo, type History } from "./document/history.ts";
import { withRenamedSteps, withoutTextsAt, withText, type TypedText, type TypedTexts } from "./typing/typed-texts.ts";
import { sameJson } from "./draft/same-json.ts";
import { nextDraft, openDraft, type DraftEvent, type DraftState, type StoredDraft } from "./draft/draft-state.ts";

/** An open editor: the documents that can be undone, and the draft of the present one. */
export interface EditorState {
  readonly history: History<JsonObject>;
  /** Its `mine` is the history's present document. */
  readonly draft: DraftState;
  /** Texts of fields as they are being typed. */
  readonly texts: TypedTexts;
}

export type EditorEvent =
  | { readonly kind: "change"; readonly document: JsonObject; readonly act?: string | undefined }
  | { readonly kind: "typed"; readonly place: string; readonly typed: TypedText | undefined }
  | { readonly kind: "forget_texts"; readonly place: string }
  | { readonly kind: "end_act" }
  | { readonly kind: "undo" }
  | { readonly kind: "redo" }
  | { readonly kind: "draft"; readonly event: Exclude<DraftEvent, { readonly kind: "edited" }> };

export function openEditor(stored: StoredDraft): EditorState {
  return editorOf(openDraft(stored), {});
}

/** An editor that goes on with a draft, whose beginning can be restored by undo. */
export function editorOf(draft: DraftState, texts: TypedTexts): EditorState {
  return { history: recordChange(beginHistory(draft.base.document), draft.mine), draft, texts };
}

export function nextEditor(state: EditorState, event: EditorEvent): EditorState {
  const { history, texts } = state;
  switch (event.kind) {
    case "change":
      return withHistory(state, recordChange(history, event.document, event.act));
    case "typed":
      return { ...state, texts: withText(texts, event.place, event.typed) };
    case "forget_texts":
      return { ...state, texts: withoutTextsAt(texts, event.place) };
    case "end_act":
      return { ...state, history: endAct(history) };
    case "undo":
      return withHistory(state, undo(history));
    case "redo":
      return withHistory(state, redo(history));
    case "draft":
      return { ...state, ...afterDraftEvent(state, event.event) };
  }
}

function withHistory(state: EditorState, history: History<JsonObject>): EditorState {
  const { present } = history;
  if (present === state.history.present) return { ...state, history };
  const texts = withRenamedSteps(state.texts, state.history.present, present);
  return { history, texts, draft: nextDraft(state.draft, { kind: "edited", document: present }) };
}

/**
 * A draft of someone else begins a new history: an undo to a document from before it would take back their change without a
 * word. After a conflict, one undo brings back the document that was not chosen.
 */
function afterDraftEvent(
  { history, draft: before }: EditorState,
  event: DraftEvent,
): Pick<EditorState, "history" | "draft"> {
  const draft = nextDraft(before, event);
  if (draft.mine === before.mine && event.kind !== "keep_mine") return { history, draft };
  if (before.sync.kind === "conflict") {
    const other = event.kind === "keep_mine" ? before.sync.theirs.document : before.mine;
    return { history: recordChange(beginHistory(other), draft.mine), draft };
  }
  // The same document, as the service stored it.
  if (sameJson(draft.mine, before.mine)) return { history: { ...history, present: draft.mine }, draft };
  return { history: beginHistory(draft.mine), draft };
}
