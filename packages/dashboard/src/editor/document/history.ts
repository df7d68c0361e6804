/** The documents before and after the present one, one entry per act. */
export interface History<Document> {
  readonly past: readonly Document[];
  readonly present: Document;
  readonly future: readonly Document[];
  /** The act that may go on, such as typing in one field. */
  readonly openAct?: string | undefined;
}

/** Most acts that can be undone. */
const mostActs = 500;

export function beginHistory<Document>(present: Document): History<Document> {
  return { past: [], present, future: [] };
}

/** After a change. Changes of one act that follow each other are one entry. */
export function recordChange<Document>(
  history: History<Document>,
  document: Document,
  act?: string,
): History<Document> {
  const { past, present } = history;
  if (document === present) return history;
  if (act !== undefined && act === history.openAct) return { past, present: document, future: [], openAct: act };
  return { past: [...past, present].slice(-mostActs), present: document, future: [], openAct: act };
}

/** Ends an act: the next change is an entry of its own. */
export function endAct<Document>(history: History<Document>): History<Document> {
  if (history.openAct === undefined) return history;
  const { past, present, future } = history;
  return { past, present, future };
}

export function undo<Document>({ past, present, future }: History<Document>): History<Document> {
  const before = past.at(-1);
  if (before === undefined) return { past, present, future };
  return { past: past.slice(0, -1), present: before, future: [present, ...future] };
}

export function redo<Document>({ past, present, future }: History<Document>): History<Document> {
  const [after, ...rest] = future;
  if (after === undefined) return { past, present, future };
  return { past: [...past, present], present: after, future: rest };
}
