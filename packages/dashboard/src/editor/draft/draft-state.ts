/*
 * The draft between this page and the service.
 *
 *   draft-state.ts     the state and its events: a pure reducer
 *   save-word.ts       the state in words
 *   kept-copies.ts     copies on this device until they are saved, also after a crash; open-editors.ts: whose they are
 *   read-draft.ts      reading and saving by the API; failure-event.ts: what a failed request means for the draft
 *
 * `use-editor.ts` has the effects: the timer of the autosave, requests, the copy on this device.
 *
 * The service replaces a draft only by one that names its revision, so that no save overwrites a change that its author
 * has not seen. A save without an answer may have arrived: its document is remembered until the revision is known.
 */
import type { JsonObject } from "@procedo/contract";
import { sameJson } from "./same-json.ts";

/** The draft as the service has it. */
export interface StoredDraft {
  /** 0: there is no draft, and the document is that of the newest version. */
  readonly revision: number;
  readonly document: JsonObject;
  /** The person who saved it. */
  readonly by?: string | undefined;
  readonly savedAt?: string | undefined;
}

export interface DraftState {
  /** The document as the person has it. */
  readonly mine: JsonObject;
  /** The draft of the service from which `mine` began. */
  readonly base: StoredDraft;
  /** Sent to replace `base`, and not answered: the service may have one of them. */
  readonly unanswered: readonly JsonObject[];
  readonly sync: Sync;
}

export type Sync =
  | {
      /** The service has `mine`. */
      readonly kind: "saved";
    }
  | {
      /** The person has changed something that is not sent yet. */
      readonly kind: "edited";
    }
  | { readonly kind: "saving"; readonly sent: JsonObject }
  | {
      /** The service has another revision, which is being read. */
      readonly kind: "comparing";
    }
  | {
      /** The last request got no answer, and is repeated. */
      readonly kind: "offline";
    }
  | {
      /** Someone else saved. The person chooses. */
      readonly kind: "conflict";
      readonly theirs: StoredDraft;
    }
  | {
      /** The service does not take the document. The next change is sent again. */
      readonly kind: "refused";
      readonly error: unknown;
    };

export type DraftEvent =
  | { readonly kind: "edited"; readonly document: JsonObject }
  /** It is time to save: the person paused, asked for it, or the network is back. */
  | { readonly kind: "due" }
  | { readonly kind: "saved"; readonly revision: number }
  /** A request got no answer. */
  | { readonly kind: "unanswered" }
  /** The draft has another revision. */
  | { readonly kind: "outdated" }
  | { readonly kind: "refused"; readonly error: unknown }
  /** The draft was read from the service. */
  | { readonly kind: "read"; readonly stored: StoredDraft }
  | { readonly kind: "keep_theirs" }
  | { readonly kind: "keep_mine" };

/** The state of a draft that was just read. */
export function openDraft(stored: StoredDraft): DraftState {
  return { mine: stored.document, base: stored, unanswered: [], sync: { kind: "saved" } };
}

export function nextDraft(state: DraftState, event: DraftEvent): DraftState {
  const { mine, sync, unanswered } = state;
  switch (event.kind) {
    case "edited":
      return afterEdit({ ...state, mine: event.document });
    case "due":
      if (sync.kind !== "edited" && sync.kind !== "offline" && sync.kind !== "refused") return state;
      return { ...state, sync: { kind: "saving", sent: mine } };
    case "saved":
      if (sync.kind !== "saving") return state;
      return settled({ ...state, base: { revision: event.revision, document: sync.sent }, unanswered: [] });
    case "unanswered":
      if (sync.kind === "saving") {
        return { ...state, unanswered: [...unanswered, sync.sent], sync: { kind: "offline" } };
      }
      return sync.kind === "comparing" ? { ...state, sync: { kind: "offline" } } : state;
    case "outdated":
      return sync.kind === "saving" ? { ...state, sync: { kind: "comparing" } } : state;
    case "refused":
      if (sync.kind !== "saving" && sync.kind !== "comparing") return state;
      return { ...state, sync: { kind: "refused", error: event.error } };
    case "read":
      return afterRead(state, event.stored);
    case "keep_theirs":
      return sync.kind === "conflict" ? openDraft(sync.theirs) : state;
    case "keep_mine":
      if (sync.kind !== "conflict") return state;
      return { mine, base: sync.theirs, unanswered: [], sync: { kind: "saving", sent: mine } };
  }
}

function afterEdit(state: DraftState): DraftState {
  switch (state.sync.kind) {
    case "saved":
    case "edited":
    case "refused":
      return settled(state);
    // A request is under way, or a choice is open: the change waits for its end.
    default:
      return state;
  }
}

function afterRead(state: DraftState, stored: StoredDraft): DraftState {
  const { base, mine, sync, unanswered } = state;
  switch (sync.kind) {
    case "saved":
      // An answer that was on its way during a save may be an older one.
      return stored.revision > base.revision ? openDraft(stored) : state;
    case "conflict":
      return stored.revision > sync.theirs.revision ? { ...state, sync: { kind: "conflict", theirs: stored } } : state;
    case "comparing": {
      const has = (document: JsonObject): boolean => sameJson(document, stored.document);
      // A later revision with the document of the base is a choice of someone who saw a save of mine.
      const isBase = stored.revision <= base.revision && has(base.document);
      if (isBase || [mine, ...unanswered].some(has)) return settled({ ...state, base: stored, unanswered: [] });
      return { ...state, sync: { kind: "conflict", theirs: stored } };
    }
    default:
      return state;
  }
}

/** The state after a request has ended, or a change was made. */
function settled(state: DraftState): DraftState {
  const isSaved = state.unanswered.length === 0 && sameJson(state.mine, state.base.document);
  return { ...state, sync: { kind: isSaved ? "saved" : "edited" } };
}

/** The copy on this device of a draft that the service may not have. */
export interface KeptDraft {
  readonly mine: JsonObject;
  readonly base: StoredDraft;
  readonly unanswered: readonly JsonObject[];
}

/** The copy of a state. A save under way may arrive after the page has ended. */
export function keptDraft({ mine, base, unanswered, sync }: DraftState): KeptDraft {
  return { mine, base, unanswered: sync.kind === "saving" ? [...unanswered, sync.sent] : unanswered };
}

/** Whether this device has to keep the document. */
export function isUnsaved({ sync }: DraftState): boolean {
  return sync.kind !== "saved";
}

/** The state with which work goes on that this device kept, where the service has `stored`. */
export function restoreDraft({ mine, base, unanswered }: KeptDraft, stored: StoredDraft): DraftState {
  return nextDraft({ mine, base, unanswered, sync: { kind: "comparing" } }, { kind: "read", stored });
}
