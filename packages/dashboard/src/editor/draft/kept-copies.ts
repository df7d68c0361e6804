/* Copies on this device of drafts that the service may not have: one for each open editor, until it is saved. */
import type { TypedTexts } from "../typing/typed-texts.ts";
import type { KeptDraft } from "./draft-state.ts";

/** Where copies are kept: the browser's own storage, except in tests. */
export type CopyStorage = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

/** The draft to which copies belong, and the person who made them. */
export interface CopyOwner {
  readonly procedureId: string;
  readonly person: string;
}

/** The work of an editor that the service may not have. */
export interface KeptWork extends KeptDraft {
  /** Texts that are no possible values yet. */
  readonly texts: TypedTexts;
}

/** A copy that an editor left behind. */
export interface KeptCopy extends KeptWork {
  readonly id: string;
  readonly keptAtMs: number;
}

const prefix = "procedo.draft/";

function keyOf(procedureId: string, id: string): string {
  return `${prefix}${encodeURIComponent(procedureId)}/${id}`;
}

/** Keeps a copy. Returns whether it is kept: a browser may have no room for it. */
export function keepCopy(storage: CopyStorage, owner: CopyOwner, id: string, work: KeptWork, nowMs: number): boolean {
  const { mine, base, unanswered, texts } = work;
  try {
    const text = JSON.stringify({ person: owner.person, mine, base, unanswered, texts, keptAtMs: nowMs });
    storage.setItem(keyOf(owner.procedureId, id), text);
    return true;
  } catch {
    return false;
  }
}

export function dropCopy(storage: CopyStorage, procedureId: string, id: string): void {
  storage.removeItem(keyOf(procedureId, id));
}

/** The copies that the person's editors left behind, the newest first. Those of open editors are their own. */
export function leftCopies(storage: CopyStorage, owner: CopyOwner, openIds: ReadonlySet<string>): readonly KeptCopy[] {
  const start = keyOf(owner.procedureId, "");
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "");
  return keys
    .filter((key) => key.startsWith(start))
    .flatMap((key): readonly KeptCopy[] => {
      const id = key.slice(start.length);
      const copy = readCopy(storage.getItem(key) ?? "");
      return copy?.person !== owner.person || openIds.has(id) ? [] : [{ ...copy, id }];
    })
    .toSorted((a, b) => b.keptAtMs - a.keptAtMs);
}

function readCopy(text: string): (Omit<KeptCopy, "id"> & { readonly person: string }) | undefined {
  try {
    const {
      person,
      mine,
      base,
      unanswered,
      texts = {},
      keptAtMs,
    } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (typeof person !== "string" || !isObject(mine) || !isObject(base) || typeof keptAtMs !== "number")
      return undefined;
    if (typeof base["revision"] !== "number" || !isObject(base["document"])) return undefined;
    if (!Array.isArray(unanswered) || !unanswered.every(isObject)) return undefined;
    if (!isObject(texts) || !Object.values(texts).every(isTypedText)) return undefined;
    return { person, mine, base, unanswered, texts, keptAtMs } as unknown as ReturnType<typeof readCopy>;
  } catch {
    return undefined;
  }
}

function isTypedText(value: unknown): boolean {
  return isObject(value) && typeof value["text"] === "string" && typeof value["isUnfinished"] === "boolean";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
